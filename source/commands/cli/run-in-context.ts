import {keepProcessAwake} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from './command-context.ts';
import {type Command} from './command.ts';
import {confirm} from './confirm.ts';
import {openDialog} from './dialog.ts';
import {type Session} from './session.ts';

/** Runs a command with all it gets; answers its exit code. The first stop signal aborts it. */
export function runInContext(
	command: Command,
	start: Pick<CommandContext, 'arguments' | 'flags'> & {
		readonly session: Session;
		readonly output: Pick<CommandContext, 'stdout' | 'stderr'>;
	},
): Promise<number> {
	const {session, output, arguments: rest, flags} = start;
	const {paths, clock} = session;
	return withStopSignal(session, signal => {
		const ask = (question: string) => confirm(question, signal);
		const talk = {confirm: ask, openDialog: () => openDialog(signal)};
		return command.run({arguments: rest, flags, ...output, ...talk, paths, clock, signal}, session);
	});
}

/** Ends with whatever `run` does; the first stop signal aborts it. Commands that drain listen for signals themselves. */
async function withStopSignal({onSignal}: Session, run: (signal: AbortSignal) => Promise<number>): Promise<number> {
	const controller = new AbortController();
	const endListening = onSignal(signal => controller.abort(new Problem('cancelled', {message: `Ended by ${signal}`})));
	// A command may wait for nothing but our timers, for example for the next try of a server.
	const awake = keepProcessAwake();
	try {
		return await run(controller.signal);
	} finally {
		awake.cancel();
		endListening();
	}
}
