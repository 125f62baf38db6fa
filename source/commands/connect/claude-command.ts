import {findOnPath} from '../../config/programs/find-program.ts';
import {ownEntryName} from '../../config/programs/own-entry.ts';
import {type Places} from '../../config/programs/places.ts';
import {assertSameFile, readProgramFile, writeProgramFile} from '../../config/programs/program-file.ts';
import {editSettings} from '../../config/programs/settings.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {createRunTool, firstLine} from '../cli/run-tool.ts';
import {type Session} from '../cli/session.ts';
import {type ProgramSettings} from './program-settings.ts';

/** The command of Claude Code, which writes its file together with the Claude Code that is running. All reject with `program_failed`. */
export type Claude = {
	/** The command line that adds the entry, as one types it. */
	readonly addLine: (entry: JsonObject) => string;
	/** Adds the entry, in place of our former one; that one comes back if it fails. Rejects with `config_changed` when the file has changed since it was read. */
	readonly add: (entry: JsonObject) => Promise<void>;
	readonly remove: () => Promise<void>;
};

/** It writes a file, and starts no server. */
const patienceSeconds = 30;

/** The `claude` of this PATH, for settings that are Claude Code's; undefined: there is none, and its file is changed directly. */
export function findClaude(
	{clock, signal}: Pick<CommandContext, 'clock' | 'signal'>,
	{environment}: Pick<Session, 'environment'>,
	{settings, places}: {readonly settings: ProgramSettings; readonly places: Places},
): Claude | undefined {
	const {program, scope, file, own} = settings;
	const path = program.name === 'claude-code' ? findOnPath('claude', places.variables['PATH']) : undefined;
	if (path === undefined) {
		return undefined;
	}

	const tool = createRunTool({environment, clock, signal, stopSeconds: patienceSeconds});
	const run = async (words: readonly string[]) => {
		const result = await tool(path, words);
		if (result.kind === 'missing' || result.code !== 0) {
			const reason = result.kind === 'missing' ? 'it is not there' : firstLine(result);
			throw new Problem('program_failed', {
				message: `\`claude ${words.slice(0, 2).join(' ')}\` failed: ${safeText(reason, {maximumCharacters: 300})}`,
			});
		}
	};

	const addWords = (entry: JsonObject) => ['mcp', 'add-json', ownEntryName, JSON.stringify(entry), '--scope', scope];
	const remove = () => run(['mcp', 'remove', ownEntryName, '--scope', scope]);
	return {
		addLine: entry => ['claude', ...addWords(entry)].map(shellWord).join(' '),
		async add(entry) {
			await assertSameFile(file);
			// `claude` refuses a name that is there.
			if (own) {
				await remove();
			}

			try {
				await run(addWords(entry));
			} catch (error) {
				await putBack(settings);
				throw error;
			}
		},
		remove,
	};
}

async function putBack({file, path, entry, own}: ProgramSettings): Promise<void> {
	if (own && entry) {
		const now = await readProgramFile(file.path);
		await writeProgramFile(now, await editSettings({...now, format: 'json'}, [{kind: 'set', path, value: entry}]));
	}
}

/** True for an entry whose arguments may be seen by other users of this machine. */
export function isWithoutSecrets(entry: JsonObject): boolean {
	return !('env' in entry || 'headers' in entry);
}
