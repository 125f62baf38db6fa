import {type ControlClient} from '../../control/client.ts';
import {type GatewayClient} from '../../state/gateway-call.ts';
import {Problem} from '../../util/problem.ts';
import {createHeldLines} from '../approvals/held-lines.ts';
import {type ScreenReaderConsoleOptions} from '../approvals/screen-reader-console.ts';
import {type CommandContext} from '../cli/command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {createLineWriter, type LineWriter} from '../cli/line-writer.ts';
import {createRuntime, type Session} from '../cli/session.ts';
import {createGatewayProcess} from './gateway-process.ts';
import {type RunnableGateway, runGateway} from './gateway-run.ts';

/** `sluice`: the dashboard, attached where a gateway runs, or lines when there is no terminal for one (docs/dashboard.md, Modes). `found` is a connection that is there already. */
export async function start(context: CommandContext, session: Session, found?: ControlClient): Promise<number> {
	const {flags, environment} = session;
	const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
	if (hasTerminal && flags.questions === 'numbered' && !flags.demo) {
		const running = found ?? (await connectGateway(context));
		return running ? attachPlain(context, session, running) : startPlain(context, session);
	}

	if (!hasTerminal || environment.variables['TERM'] === 'dumb' || flags.dashboard === 'never') {
		return startPlain(context, session);
	}

	const [running, {openDashboard}] = await Promise.all([
		flags.demo ? undefined : (found ?? connectGateway(context)),
		withoutFetch(() => import('./dashboard.ts')),
	]);
	return openDashboard(context, session, running);
}

/** `sluice attach`: the same for a gateway that runs; rejects with `gateway_not_running`. */
export async function attach(context: CommandContext, session: Session): Promise<number> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		throw new Problem('bad_usage', {message: 'sluice attach needs a terminal; `sluice logs --follow` prints lines'});
	}

	const running = await connectGateway(context);
	if (!running) {
		throw new Problem('gateway_not_running');
	}

	return start(context, session, running);
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
	const stopAsked = Promise.withResolvers<void>();
	const format = parseLogFormat(context.flags.log);
	const output = openLineOutput(session, format);
	const isAsking = session.flags.questions === 'numbered' && format === 'text' && process.stdin.isTTY;
	const log = createHeldLines(output.write);
	const gateway = createGatewayProcess(runtime, {
		mode,
		...(isAsking && {console: {mode: 'deciding'}}),
		...(session.flags.newJournal && {emptyJournal: 'new-journal'}),
		onStopAsked: why => (why ? stopAsked.reject(why) : stopAsked.resolve()),
	});
	return runGateway({
		...session,
		gateway: isAsking
			? withScreenReaderConsole(gateway, {...session, input: process.stdin, write: output.write, log})
			: gateway,
		format,
		output: isAsking ? {...output, write: log.write} : output,
		stderr: context.stderr,
		home: session.flags.home,
		stopAsked: stopAsked.promise,
	});
}

/** `sluice --screen-reader` where a gateway runs: its events as lines, and what waits for a person as numbered questions. */
async function attachPlain(context: CommandContext, session: Session, running: ControlClient): Promise<number> {
	const {createAttachedLines} = await import('./attached-lines.ts');
	const output = openLineOutput(session, 'text');
	const log = createHeldLines(output.write);
	const failed = Promise.withResolvers<never>();
	const gateway = createAttachedLines(session, running, failed.reject);
	return runGateway({
		...session,
		gateway: withScreenReaderConsole(gateway, {...session, input: process.stdin, write: output.write, log}),
		format: 'text',
		output: {...output, write: log.write},
		stderr: context.stderr,
		home: session.flags.home,
		stopAsked: failed.promise,
	});
}

function openLineOutput({clock}: Session, format: 'text' | 'json'): LineWriter {
	const leftOut = (lines: number) => `… ${lines} lines skipped: the reader is too slow`;
	return createLineWriter(process.stdout, {clock, beside: process.stderr, ...(format === 'text' && {leftOut})});
}

/** The form of `gateway run`'s lines. Throws `bad_usage` for anything but `text` and `json`. */
function parseLogFormat(flag: string | undefined): 'text' | 'json' {
	if (flag === undefined || flag === 'text' || flag === 'json') {
		return flag ?? 'text';
	}

	throw new Problem('bad_usage', {message: '--log must be text or json'});
}

/** The bell of questions that are read aloud, by the stored choice for notifications of the dashboard. Such a terminal reports no focus, so there are no others. */
async function storedBell({paths}: Pick<Session, 'paths'>): Promise<'sounds' | 'silent'> {
	const {readPreferences} = await import('./preferences.ts');
	const {notify = 'off'} = readPreferences(paths.preferences);
	return notify === 'off' ? 'silent' : 'sounds';
}

/** A gateway whose terminal is a console: what waits for a person is asked there, from the moment it runs until it stops (docs/approvals.md, How approvals end). */
function withScreenReaderConsole<Gateway extends RunnableGateway & GatewayClient>(
	gateway: Gateway,
	terminal: Pick<ScreenReaderConsoleOptions, 'clock' | 'input' | 'write' | 'log'> & Pick<Session, 'paths'>,
): Gateway {
	let close: (() => void) | undefined;
	return {
		...gateway,
		async start() {
			const {openScreenReaderConsole} = await import('../approvals/screen-reader-console.ts');
			// Before the start: what is asked during it must not be missed.
			close = openScreenReaderConsole({...terminal, ...gateway, bell: await storedBell(terminal)});
			await gateway.start();
		},
		async stop(reason) {
			close?.();
			await gateway.stop(reason);
		},
	};
}
