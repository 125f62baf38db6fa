import {type Controller} from './input/controller.ts';
import {type HandOver} from './hand-over.ts';
import {type EntryEdit, type LocalPrograms, type ProgramAct} from './state/local-programs.ts';

/** Carries out what the dashboard wants of the programs of its process. */
export type ProgramRunner = {
	readonly start: (act: ProgramAct) => void;
	/** Ends a command; later ends are not reported. */
	readonly close: () => void;
};

/** Creates the runner of one dashboard. An editor gets the terminal, a command does not. */
export function createProgramRunner(options: {
	readonly programs?: LocalPrograms | undefined;
	readonly handOver: HandOver;
	readonly dispatch: Controller['dispatch'];
}): ProgramRunner {
	const {programs, handOver, dispatch} = options;
	let command: AbortController | undefined;
	const report = (edit: EntryEdit) => dispatch({type: 'edit-ended', edit});
	const onTerminal = async (edit: () => Promise<EntryEdit>) => {
		// Before the terminal is back: the first frame shows the end.
		const end = await handOver(async () => report(await edit()));
		if (end === 'not-lent') {
			report({kind: 'refused', reason: 'another program has the terminal'});
		}
	};

	const run = async ({run: runCommand}: LocalPrograms, words: Parameters<LocalPrograms['run']>[0]) => {
		command = new AbortController();
		const end = await runCommand(words, command.signal);
		dispatch({type: 'command-ended', end});
	};

	return {
		start(act) {
			if (!programs) {
				report({kind: 'refused', reason: 'this dashboard runs no programs'});
				return;
			}

			switch (act.do) {
				case 'edit':
					return void onTerminal(() => programs.edit(act.entry));
				case 'edit-again':
					return void onTerminal(programs.editAgain);
				case 'write':
					return void programs.write().then(report);
				case 'discard':
					return programs.discard();
				case 'run':
					return void run(programs, act.command);
				case 'end-command':
					command?.abort();
			}
		},
		close: () => command?.abort(),
	};
}
