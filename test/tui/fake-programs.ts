import {
	type CommandEnd,
	type ConfigEntry,
	type EntryEdit,
	type LocalPrograms,
	type OwnKey,
} from '../../source/tui/state/local-programs.ts';

/** Programs whose ends a test gives; what was asked of them is listed. */
export function openFakePrograms(keys: readonly OwnKey[] = []) {
	const asked: Array<ConfigEntry | string | readonly string[]> = [];
	let end: ((end: never) => void) | undefined;
	const wait = <End extends EntryEdit | CommandEnd>(what: ConfigEntry | string | readonly string[]): Promise<End> => {
		asked.push(what);
		return new Promise<End>(resolve => {
			end = resolve;
		});
	};

	const programs: LocalPrograms = {
		keys,
		edit: wait,
		editAgain: () => wait('again'),
		write: () => wait('write'),
		discard: () => void asked.push('discard'),
		run(command, signal) {
			signal.addEventListener('abort', () => asked.push('aborted'));
			return wait(command);
		},
	};
	return {
		programs,
		asked,
		/** Ends the program that was asked for last. */
		end: (value: EntryEdit | CommandEnd) => end?.(value as never),
	};
}
