import {type CommandContext} from './command-context.ts';
import {createGatewayProcess} from './gateway-process.ts';
import {withNumberedQuestions} from './numbered/with-numbered-questions.ts';
import {openGround} from './ground.ts';
import {createLineWriter} from './line-writer.ts';
import {parseLogFormat} from './log-format.ts';
import {runGateway} from './gateway-run.ts';
import {type Session} from './session.ts';

/** `sluice`: the dashboard, or lines when there is no terminal for one (design/terminal-ui.md, Plain mode). */
export async function start(context: CommandContext, session: Session): Promise<number> {
	const {variables} = session.environment;
	const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && variables['TERM'] !== 'dumb';
	if (!hasTerminal || session.flags.window === 'never') {
		return startPlain(context, session);
	}

	const {openDashboard} = await import('./dashboard.ts');
	return openDashboard(context, session);
}

/** `sluice gateway run`: one line per event. */
export async function startPlain(context: CommandContext, session: Session): Promise<number> {
	const ground = openGround(session);
	const mode = session.flags.demo ? 'demo' : 'normal';
	// Nobody sends orders here: signals end it.
	const gateway = createGatewayProcess(ground, {mode, leave: () => undefined});
	const format = parseLogFormat(context.flags.log);
	const leftOut = (lines: number) => `… ${lines} lines left out: the reader is too slow`;
	const output = createLineWriter(process.stdout, {clock: session.clock, ...(format === 'text' && {leftOut})});
	const isAsking = session.flags.questions === 'numbered' && format === 'text' && process.stdin.isTTY;
	return runGateway({
		gateway: isAsking
			? withNumberedQuestions(gateway, {...session, input: process.stdin, write: output.write})
			: gateway,
		format,
		output,
		stderr: context.stderr,
		onSignal: session.onSignal,
	});
}
