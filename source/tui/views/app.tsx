import {useAnimation, useApp, useInput, usePaste, useWindowSize} from 'ink';
import {type JSX, useEffect, useInsertionEffect, useSyncExternalStore} from 'react';
import {secondMilliseconds, seriesSpan} from '../../state/rate-series.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {type Store} from '../../state/store.ts';
import {type Controller} from '../input/controller.ts';
import {DashboardTheme} from '../components/dashboard-theme.tsx';
import {isUnderWay} from '../lists/login-rows.ts';
import {previewedTheme} from '../input/palette-rows.ts';
import {columnRoot} from '../state/mode.ts';
import {keyPressesOf} from '../state/key-press.ts';
import {type Screen} from '../state/screen.ts';
import {type UiState} from '../state/ui-state.ts';
import {type DrawnRows, DrawnRowsProvider} from '../text/drawn-rows.ts';
import {type FullReader} from '../state/full-reader.ts';
import {screenKey} from '../input/key-guard.ts';
import {Frame} from './frame.tsx';

export type AppProps = {
	readonly store: Pick<Store, 'getSnapshot' | 'subscribe'>;
	readonly controller: Controller;
	/** Milliseconds since the epoch. */
	readonly now: () => number;
	/** Uses only weight and inversion, whatever the theme. */
	readonly noColor: boolean;
	readonly ascii: boolean;
	/** Receives the function that restores the terminal; it exists only inside the tree. */
	readonly onSuspender: (suspendTerminal: ReturnType<typeof useApp>['suspendTerminal']) => void;
	readonly readOnly: boolean;
	readonly version: string;
	readonly readFull: FullReader;
	/** Where clicks find their rows. */
	readonly drawnRows?: DrawnRows;
	/** Called at each key, and at each text that is pasted. */
	readonly onKey: () => void;
	readonly ownKeys?: Screen['ownKeys'];
};

const countingMilliseconds = 1000;
/** Often enough for the minutes in the header. */
const idleMilliseconds = 10_000;

/** The dashboard: the only component that listens to the keyboard, the clock and the two stores. */
export function App(props: AppProps): JSX.Element {
	const {store, controller, now, noColor, ascii, onSuspender, readOnly, version, readFull, ownKeys, drawnRows, onKey} =
		props;
	const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot);
	const ui = useSyncExternalStore(controller.subscribe, controller.getState);
	const armed = useSyncExternalStore(controller.subscribe, controller.isArmed);
	const {columns, rows} = useWindowSize();

	const {suspendTerminal} = useApp();
	useEffect(() => onSuspender(suspendTerminal), [onSuspender, suspendTerminal]);
	useInput((input, key) => {
		onKey();
		controller.press(keyPressesOf(input, key));
	});
	usePaste(text => {
		onKey();
		controller.dispatch({type: 'pasted', text});
	});
	useEffect(() => controller.dispatch({type: 'resized', size: {columns, rows}}), [controller, columns, rows]);
	// Before Ink draws this tree: the frame that follows shows exactly this screen.
	useInsertionEffect(() => controller.committed(screenKey(ui, snapshot)));

	const time = now();
	const counting = countsDown(snapshot) || movesOn(ui, snapshot, time);
	useAnimation({interval: counting ? countingMilliseconds : idleMilliseconds});
	const screen: Screen = {snapshot, ui, size: {columns, rows}, now: time, armed, readOnly, version, readFull, ownKeys};
	return (
		<DashboardTheme
			name={noColor ? 'mono' : previewedTheme(ui, screen)}
			ascii={ascii}
			links={ui.terminal === 'answering' ? 'on' : 'off'}
		>
			<DrawnRowsProvider value={drawnRows}>
				<Frame screen={screen} />
			</DrawnRowsProvider>
		</DashboardTheme>
	);
}

/** True if the overview shows bars of seconds, which move even without events. */
function movesOn({view, mode}: UiState, {rates}: Snapshot, now: number): boolean {
	return (
		view === 'overview' &&
		(mode.kind === 'browse' || columnRoot(mode) !== undefined) &&
		Object.values(rates.routes).some(({lastAt = 0}) => now - lastAt < (seriesSpan + 1) * secondMilliseconds)
	);
}

/** True if the screen shows a running time: something expires, is retried soon, or is under way. */
function countsDown(snapshot: Snapshot): boolean {
	return (
		snapshot.approvals.length > 0 ||
		snapshot.questions.length > 0 ||
		snapshot.calls.length > 0 ||
		snapshot.logins.some(isUnderWay) ||
		snapshot.servers.some(row => row.state === 'waiting' || row.state === 'connecting') ||
		snapshot.runs.some(row => row.state === 'running' || row.state === 'queued' || row.delivering !== undefined)
	);
}
