import {type CommandContext} from './command-context.ts';
import {createGatewayProcess} from '../gateway/gateway-process.ts';
import {withNumberedQuestions} from '../approvals/with-numbered-questions.ts';
import {createRuntime} from './create-runtime.ts';
import {createLineWriter} from './line-writer.ts';
import {parseLogFormat} from './log-format.ts';
import {runGateway} from '../gateway/gateway-run.ts';
import {type Session} from './session.ts';

/** `sluice`: the dashboard, or lines when there is no terminal for one (docs/dashboard.md, Modes). */
export async function start(context: CommandContext, session: Session): Promise<number> {
	const {variables} = session.environment;
	const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && variables['TERM'] !== 'dumb';
	if (!hasTerminal || session.flags.window === 'never') {
		return startPlain(context, session);
	}

	const {openDashboard} = await import('../gateway/dashboard.ts');
	return openDashboard(context, session);
}

/** `sluice gateway run`: one line per event. */
export async function startPlain(context: CommandContext, session: Session): Promise<number> {
	const runtime = createRuntime(session);
	const mode = session.flags.demo ? 'demo' : 'normal';
	// Nobody sends commands here: signals end it.
	const gateway = createGatewayProcess(runtime, {mode, leave: () => undefined});
	const format = parseLogFormat(context.flags.log);
	const leftOut = (lines: number) => `… ${lines} lines left out: the reader is too slow`;
	const output = createLineWriter(process.stdout, {
		clock: session.clock,
		beside: process.stderr,
		...(format === 'text' && {leftOut}),
	});
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
