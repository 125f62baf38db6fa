import {type Dashboard, type DashboardEnd} from '../../tui/mount.tsx';
import {type ConsoleState} from '../../state/console-state.ts';
import {errorText, Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Draining} from './draining.ts';
import {type DashboardGateway} from './reconnecting-console.ts';
import {reportCrash, reportProblem} from '../cli/run-command.ts';
import {type OnSignal, signalExitCode, type StopSignal, watchCrash} from '../cli/stop-signals.ts';

/** The reason that the dashboard ends. */
export type Leaving =
	| {readonly kind: 'asked'}
	| {readonly kind: 'forced'}
	| {readonly kind: 'signal'; readonly signal: StopSignal}
	| {readonly kind: 'broken'; readonly error: unknown}
	/** An error that nobody caught: nothing in this process can be relied on any more. */
	| {readonly kind: 'crashed'; readonly error: unknown};

/** The reason for a dashboard's end. An attached one draws data of another process, which may be impossible to draw. */
export function leavingOf(end: DashboardEnd, console: ConsoleState): Leaving {
	if (end.kind !== 'failed') {
		return {kind: 'asked'};
	}

	const {error} = end;
	return {kind: 'broken', error: console.state === 'attached' ? undrawable(error) : error};
}

function undrawable(cause: unknown): Problem {
	const message = `The events of the running gateway cannot be drawn: ${safeText(errorText(cause))}`;
	return new Problem('control_failed', {message, cause});
}

/** Leaves at an error that nobody caught, until the returned function is called. */
export function leaveOnCrash(leave: (leaving: Leaving) => void): () => void {
	const {crash, close} = watchCrash();
	void crash.then(error => leave({kind: 'crashed', error}));
	return close;
}

/**
The dashboard stays while the gateway of its process drains. Then it goes first, so that the person has the terminal back, and the gateway stops.
A further signal skips what is left of `gateway.drain_delay`; one after that ends at once.
*/
export async function leaveDashboard(options: {
	readonly leaving: Leaving;
	readonly dashboard: Dashboard;
	readonly gateway: Pick<DashboardGateway, 'leave'>;
	readonly draining: Draining;
	/** Ends the programs of the dashboard, before the terminal is restored. Resolves with the path of a text that is left. */
	readonly endPrograms: () => Promise<string | undefined>;
	readonly stderr: (text: string) => void;
	readonly onSignal: OnSignal;
}): Promise<number> {
	const {leaving, dashboard, gateway, draining, stderr, onSignal} = options;
	const forced = Promise.withResolvers<number>();
	const endSignals = onSignal(signal => {
		if (draining.skip() === 'nothing-to-skip') {
			forced.resolve(signalExitCode(signal));
		}
	});
	const {crash, close: endCrashWatch} = watchCrash();
	void crash.then(error => forced.resolve(reportCrash({stderr}, error)));
	const reason = leaving.kind === 'signal' ? leaving.signal : 'the dashboard was closed';
	try {
		if (leaving.kind === 'asked' || leaving.kind === 'signal') {
			await Promise.race([draining.drain(reason).then(dashboard.answered), forced.promise]);
		}

		const path = await options.endPrograms().catch(() => undefined);
		dashboard.unmount();
		stderr(path === undefined ? '' : `Your text is in ${path}.\n`);
		if (leaving.kind === 'broken') {
			reportProblem({stderr}, toProblem(leaving.error, 'internal', {detail: errorText(leaving.error)}));
		}

		if (leaving.kind === 'forced') {
			return signalExitCode('SIGINT');
		}

		if (leaving.kind === 'crashed') {
			return reportCrash({stderr}, leaving.error);
		}

		const stopped = gateway.leave(reason);
		return await Promise.race([stopped.then(() => (leaving.kind === 'broken' ? 1 : 0)), forced.promise]);
	} finally {
		endSignals();
		endCrashWatch();
	}
}
