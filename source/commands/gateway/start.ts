import {Problem} from '../../util/problem.ts';
import {type NumberedQuestionsOptions} from '../approvals/numbered-questions.ts';
import {type CommandContext} from '../cli/command.ts';
import {createLineWriter} from '../cli/line-writer.ts';
import {createRuntime, type Session} from '../cli/session.ts';
import {createGatewayProcess, type GatewayProcess} from './gateway-process.ts';
import {runGateway} from './gateway-run.ts';

/** `sluice`: the dashboard, or lines when there is no terminal for one (docs/dashboard.md, Modes). */
export async function start(context: CommandContext, session: Session): Promise<number> {
	const {variables} = session.environment;
	const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && variables['TERM'] !== 'dumb';
	if (!hasTerminal || session.flags.dashboard === 'never') {
		return startPlain(context, session);
	}

	const {openDashboard} = await withoutFetch(() => import('./dashboard.ts'));
	return openDashboard(context, session);
}

/**
Loads what has Ink in it. Its layout engine fetches its WebAssembly from a data: address, and the first fetch of a process loads an HTTP client
for that, which takes longer than all the rest of Ink; where there is no fetch, the engine decodes the address itself.
*/
async function withoutFetch<Value>(load: () => Promise<Value>): Promise<Value> {
	const {fetch} = globalThis;
	Reflect.deleteProperty(globalThis, 'fetch');
	try {
		return await load();
	} finally {
		globalThis.fetch = fetch;
	}
}

/** `sluice gateway run`: one line per event. */
export async function startPlain(context: CommandContext, session: Session): Promise<number> {
	const runtime = createRuntime(session);
	const mode = session.flags.demo ? 'demo' : 'normal';
	// Nobody sends commands here: signals end it.
	const gateway = createGatewayProcess(runtime, {mode, leave: () => undefined});
	const format = parseLogFormat(context.flags.log);
	const leftOut = (lines: number) => `… ${lines} lines skipped: the reader is too slow`;
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
		home: session.flags.home,
		onSignal: session.onSignal,
	});
}

/** The form of `gateway run`'s lines. Throws `bad_usage` for anything but `text` and `json`. */
function parseLogFormat(flag: string | undefined): 'text' | 'json' {
	if (flag === undefined || flag === 'text' || flag === 'json') {
		return flag ?? 'text';
	}

	throw new Problem('bad_usage', {message: '--log must be text or json'});
}

/** A gateway whose terminal is a console: what waits for a person is asked there, from the moment it runs until it stops (docs/approvals.md, How approvals end). */
function withNumberedQuestions(
	gateway: GatewayProcess,
	terminal: Pick<NumberedQuestionsOptions, 'clock' | 'input' | 'write'>,
): GatewayProcess {
	let close: (() => void) | undefined;
	return {
		...gateway,
		async start() {
			const {openNumberedQuestions} = await import('../approvals/numbered-questions.ts');
			// Before the start: what is asked during it must not be missed.
			close = openNumberedQuestions({
				...terminal,
				eventBus: gateway.eventBus,
				send: command => gateway.gateway()?.send(command),
				readWhole: query => gateway.gateway()?.readWhole(query),
			});
			await gateway.start();
			gateway.gateway()?.attachConsole();
		},
		async stop(reason) {
			close?.();
			await gateway.stop(reason);
		},
	};
}
