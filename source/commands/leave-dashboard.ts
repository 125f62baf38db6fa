import {type DashboardEnd} from '../tui/dashboard-options.ts';
import {type Dashboard} from '../tui/mount.tsx';
import {errorText, toProblem} from '../util/problem.ts';
import {type GatewaySeat} from './gateway-seat.ts';
import {reportProblem} from './report-problem.ts';
import {type OnSignal, signalExitCode, type StopSignal} from './stop-signals.ts';

/** Why the dashboard goes. */
export type Leaving =
	| {readonly kind: 'asked'}
	| {readonly kind: 'forced'}
	| {readonly kind: 'signal'; readonly signal: StopSignal}
	| {readonly kind: 'broken'; readonly error: unknown};

/** What the end of the window means. */
export function leavingOf(end: DashboardEnd): Leaving {
	return end.kind === 'failed' ? {kind: 'broken', error: end.error} : {kind: 'asked'};
}

/** The window goes first, so that the person has the terminal back; then the gateway drains. A second signal while it drains ends at once. */
export async function leaveDashboard(options: {
	readonly leaving: Leaving;
	readonly dashboard: Dashboard;
	readonly seat: GatewaySeat;
	readonly stderr: (text: string) => void;
	readonly onSignal: OnSignal;
}): Promise<number> {
	const {leaving, dashboard, seat, stderr, onSignal} = options;
	dashboard.unmount();
	const forced = Promise.withResolvers<number>();
	const endSignals = onSignal(signal => forced.resolve(signalExitCode(signal)));
	try {
		if (leaving.kind === 'broken') {
			reportProblem({stderr}, toProblem(leaving.error, 'internal', {detail: errorText(leaving.error)}));
		}

		if (leaving.kind === 'forced') {
			return signalExitCode('SIGINT');
		}

		const stopped = seat.stop(leaving.kind === 'signal' ? leaving.signal : 'the dashboard was closed');
		return await Promise.race([stopped.then(() => (leaving.kind === 'broken' ? 1 : 0)), forced.promise]);
	} finally {
		endSignals();
	}
}
