import {defaultProfile, statePaths} from '../../config/read/state-paths.ts';
import {type CommandEnd, type ConfigEntry, type EntryEdit, type LocalPrograms} from '../../tui/state/local-programs.ts';
import {type CallGateway} from '../../state/api.ts';
import {errorText, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProcessEnd} from '../../webhooks/script/script-process.ts';
import {type TextEdit} from '../config/text-edit.ts';
import {type Session} from '../cli/session.ts';
import {readOwnKeys} from './own-keys.ts';

/** The editor and the own keys of the person at this terminal. They run in this process, also where another one has the gateway. */
export type OpenPrograms = LocalPrograms & {
	/** Ends an editor that is open. Resolves with the path of an edited text that was not written, which stays. */
	readonly close: () => Promise<string | undefined>;
};

type ProgramOptions = {
	/** Takes a line for each own key that is ignored, and for an editor that failed. */
	readonly warn: (text: string) => void;
	/** The gateway, which stores jobs. */
	readonly call: CallGateway;
};

/** Opens them. */
export function openLocalPrograms(session: Session, {warn, call}: ProgramOptions): OpenPrograms {
	const own = readOwnKeys(statePaths({root: session.paths.root, profile: defaultProfile}).preferences);
	own.faults.forEach(warn);
	const closing = new AbortController();
	/** The text that is edited, and what came of it the last time. */
	let open: {readonly text: TextEdit; readonly edited: EntryEdit} | undefined;
	let editing: Promise<unknown> = Promise.resolve();

	const discard = async () => {
		const text = open?.text;
		open = undefined;
		await text?.remove();
	};

	/** An editor that fails leaves what there was before it. */
	const runEditor = async (text: TextEdit, before?: EntryEdit): Promise<EntryEdit> => {
		const edited = await text.edit().catch((error: unknown) => {
			const refused = refusal(error);
			if (before) {
				warn(refused.reason);
			}

			return before ?? refused;
		});
		open = {text, edited};
		if (!closing.signal.aborted && (edited.kind === 'unchanged' || edited.kind === 'refused')) {
			await discard();
		}

		return edited;
	};

	const follow = (edit: Promise<EntryEdit>): Promise<EntryEdit> => {
		const ended = edit.catch(refusal);
		editing = ended;
		return ended;
	};

	return {
		keys: own.keys,
		edit: entry =>
			follow(
				discard()
					.then(() => openText(session, entry, {call, signal: closing.signal}))
					.then(text => runEditor(text)),
			),
		editAgain: () => (open ? follow(runEditor(open.text, open.edited)) : Promise.resolve({kind: 'unchanged'})),
		async write() {
			if (!open) {
				return {kind: 'unchanged'};
			}

			const {text} = open;
			try {
				await text.write();
				await discard();
				return {kind: 'written'};
			} catch (error) {
				// A valid text is worth keeping where it cannot be written.
				open = undefined;
				return {...refusal(error), kind: 'unwritten', path: text.path};
			}
		},
		discard: () => void discard().catch(error => warn(errorText(error))),
		run: (command, signal) => runCommand(session, command, signal),
		async close() {
			closing.abort();
			await editing;
			const text = open?.text;
			if (text && (await text.isChanged())) {
				return text.path;
			}

			await discard();
			return undefined;
		},
	};
}

/** A copy of the entry, from config.yaml or the jobs of its profile. */
async function openText(
	session: Session,
	entry: ConfigEntry,
	{call, signal}: {readonly call: CallGateway; readonly signal: AbortSignal},
): Promise<TextEdit> {
	const {kind, name, profile} = entry;
	if (kind !== 'job') {
		return (await import('../config/config-entry.ts')).copyEntry(session, {kind, name, profile}, signal);
	}

	const {root} = session.paths;
	const {runtimeDirectory} = session.environment;
	const own = {...session, paths: statePaths({root, profile, runtimeDirectory})};
	return (await import('../cron/job-text.ts')).copyJobText(own, {id: name, call, signal});
}

function refusal(error: unknown): Extract<EntryEdit, {kind: 'refused'}> {
	const {code, message, remedy} = toProblem(error, 'internal', {
		message: `The text cannot be edited: ${errorText(error)}`,
	});
	return {kind: 'refused', reason: safeText(code === 'command_not_found' ? `${message}. ${remedy}` : message)};
}

const commandMilliseconds = 600_000;
const outputBytes = 1_048_576;
const shownCharacters = 100_000;

async function runCommand(
	{environment, clock}: Pick<Session, 'environment' | 'clock'>,
	[command, ...args]: readonly [string, ...string[]],
	signal: AbortSignal,
): Promise<CommandEnd> {
	const {runProcess} = await import('../../webhooks/script/script-process.ts');
	const end = await runProcess(
		{
			command,
			args,
			directory: environment.workingDirectory,
			environment: environment.variables,
			input: '',
			milliseconds: commandMilliseconds,
			outputBytes,
		},
		{clock, signal, guard: () => () => () => undefined},
	);
	const shown = (text: string) => safeText(text, {multiline: true, maximumCharacters: shownCharacters});
	const {output, errors} = end.kind === 'ended' ? end : {output: '', errors: ''};
	return {
		outcome: end.kind === 'ended' && end.code === 0 ? 'done' : 'failed',
		words: endWords(end),
		output: shown(output),
		errors: shown(errors),
	};
}

function endWords(end: ProcessEnd): string {
	switch (end.kind) {
		case 'ended':
			return end.code === null ? 'was ended by a signal' : end.code === 0 ? 'is done' : `ended with code ${end.code}`;
		case 'not-started':
			return `could not be started: ${safeText(end.reason)}`;
		case 'timed-out':
			return `was ended after ${commandMilliseconds / 60_000} minutes`;
		case 'too-much-output':
			return 'was ended: it printed more than 1 MB';
		case 'aborted':
			return 'was ended';
	}
}
