import {accessSync, constants, existsSync} from 'node:fs';
import {dirname} from 'node:path';
import {statePaths} from '../../config/read/state-paths.ts';
import {parseApprovals} from '../../config/read/settings.ts';
import {valueAt} from '../../config/values/plain-value.ts';
import {type KeyPath} from '../../config/values/problem-list.ts';
import {sectionWithoutFile} from '../../config/values/section.ts';
import {failureText} from '../../config/values/text-file.ts';
import {type ConfigEntry} from '../../tui/state/local-programs.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Session} from '../cli/session.ts';
import {copyConfigText} from './config-text.ts';
import {type TextEdit} from './text-edit.ts';

/** An entry of config.yaml. */
type FileEntry = {readonly kind: Exclude<ConfigEntry['kind'], 'job'>; readonly name: string};

/** Copies the file with an entry for the editor of the person. Rejects where the file lacks it, or this process may not write it; the signal ends the editor. */
export async function copyEntry(
	session: Pick<Session, 'paths' | 'environment' | 'clock'>,
	entry: FileEntry & Pick<ConfigEntry, 'profile'>,
	signal: AbortSignal,
): Promise<TextEdit> {
	const paths = statePaths({root: session.paths.root, profile: entry.profile});
	assertWritable(paths.config);
	return copyConfigText({...session, paths, signal, entry: value => entryPath(value, entry)});
}

/** A file is replaced as a whole, so its folder is written too. Throws `config_unreadable`. */
function assertWritable(path: string): void {
	try {
		accessSync(dirname(path), constants.W_OK);
		if (existsSync(path)) {
			accessSync(path, constants.R_OK | constants.W_OK);
		}
	} catch (error) {
		throw new Problem('config_unreadable', {message: `${path} cannot be written${failureText(error)}`, cause: error});
	}
}

/** The path of an entry in the value of config.yaml. Throws `config_invalid` where the file lacks it: it may be one of another machine. */
export function entryPath(value: unknown, {kind, name}: FileEntry): KeyPath {
	const path = pathsOf(value, kind, name).find(keys => valueAt(value, keys) !== undefined);
	if (!path) {
		const shown = safeText(name, {maximumCharacters: 100});
		throw new Problem('config_invalid', {
			message: `config.yaml has no ${kind}${kind === 'rule' ? '' : ` named ${shown}`}: it is configured elsewhere, or has changed`,
		});
	}

	return path;
}

function pathsOf(value: unknown, kind: FileEntry['kind'], name: string): readonly KeyPath[] {
	switch (kind) {
		case 'server':
			return [['mcp_servers', name]];
		case 'route':
			return [
				['platforms', 'webhook', 'extra', 'routes', name],
				['platforms', 'webhook', 'routes', name],
			];
		case 'platform':
			return [['platforms', name]];
		case 'rule':
			return rulePaths(value, name);
	}
}

/** The rule of this id; while the rules cannot be read, their list. */
function rulePaths(value: unknown, id: string): readonly KeyPath[] {
	const list = ['approvals', 'rules'];
	const {rules} = parseApprovals(valueAt(value, ['approvals']), sectionWithoutFile('approvals'));
	const index = rules.kind === 'valid' ? rules.rules.findIndex(rule => rule.id === id) : -1;
	return rules.kind === 'invalid' ? [list] : index === -1 ? [] : [[...list, index]];
}
