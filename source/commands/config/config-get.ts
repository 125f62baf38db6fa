import {keysAt, parseKeyPath, pathIn} from '../../config/edit/key-path.ts';
import {maskedValue} from '../../config/edit/secret-keys.ts';
import {yamlText} from '../../config/edit/written-value.ts';
import {readConfigFile} from '../../config/read/file.ts';
import {loadConfig} from '../../config/read/load-config.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {didYouMean} from '../../config/values/did-you-mean.ts';
import {valueAt} from '../../config/values/plain-value.ts';
import {type KeyPath, keyPathText} from '../../config/values/problem-list.ts';
import {Problem} from '../../util/problem.ts';
import {createRedactor} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';

/** `sluice config get [KEY.PATH] [--json]`: a value as it is in config.yaml, secrets masked. Rejects with `config_invalid` for a key that is not there. */
export async function runConfigGet(context: CommandContext, session: Session): Promise<ExitCode> {
	const [typed, ...others] = context.arguments;
	if (others.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice config get [KEY.PATH] [--json]'});
	}

	const keys = typed === undefined ? [] : parseKeyPath(typed);
	const file = await readConfigFile(session.paths.config);
	if (file.kind === 'unusable') {
		throw file.problems[0] ?? new Problem('config_syntax');
	}

	const root = file.kind === 'read' ? (file.value ?? {}) : {};
	const path = pathIn(root, keys);
	const found = path.length === 0 ? root : valueAt(root, path);
	if (found === undefined) {
		throw notSet(path, root);
	}

	const redactor = createRedactor();
	const {secrets} = await loadConfig(session);
	secrets.values.filter(secret => !isUnresolved(secret)).forEach(redactor.learn);
	const shown = maskedValue(found, path, redactor.redact);
	context.stdout(
		context.flags.json
			? jsonDocument(shown)
			: safeText(yamlText(shown), {multiline: true, maximumCharacters: Number.POSITIVE_INFINITY}),
	);
	return 0;
}

/** The problem of a key that config.yaml does not have, with the one that was probably meant. */
export function notSet(path: KeyPath, root: unknown): Problem {
	const depth = path.findIndex((_, index) => valueAt(root, path.slice(0, index + 1)) === undefined);
	const meant = didYouMean(String(path[depth] ?? ''), keysAt(root, path.slice(0, depth)));
	const hint = meant === undefined ? '' : `; did you mean \`${keyPathText([...path.slice(0, depth), meant])}\`?`;
	return new Problem('config_invalid', {
		message: `\`${keyPathText(path)}\` is not set in config.yaml${safeText(hint)}`,
		remedy: 'Run `sluice config get` for the keys that are set',
	});
}

/** `sluice config path [--json]`: the path of config.yaml, whether or not there is one yet. */
export async function runConfigPath(context: CommandContext, {paths}: Session): Promise<ExitCode> {
	noWords(context, 'sluice config path [--json]');
	context.stdout(context.flags.json ? jsonDocument({path: paths.config}) : `${paths.config}\n`);
	return 0;
}
