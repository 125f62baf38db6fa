import {render, useInput} from 'ink';
import {type JSX, useEffect, useState} from 'react';
import {createEventBus} from '../source/state/event-bus.ts';
import {reduce} from '../source/state/reduce.ts';
import {emptySnapshot, type Snapshot} from '../source/state/snapshot.ts';
import {Frame} from '../source/tui/views/frame.tsx';
import {brushesOf, ThemeProvider} from '../source/tui/text/line-text.tsx';
import {initialUiState} from '../source/tui/state/ui-state.ts';
import {type ViewName} from '../source/tui/lists/view-table.ts';
import {systemClock} from '../source/util/clock.ts';
import {publishLoad} from './made-up-events.ts';

/*
The same frame from the same events, as an Ink program is first written: every event sets the state. What the store saves is the difference.
Argument: events per second.
*/

const size = {columns: process.stdout.columns, rows: process.stdout.rows};
const theme = {brushes: brushesOf('dark'), ascii: false};
let show: ((snapshot: Snapshot) => void) | undefined;

function Window(): JSX.Element {
	const [snapshot, setSnapshot] = useState(emptySnapshot);
	const [view, setView] = useState<ViewName>('overview');
	useEffect(() => {
		show = setSnapshot;
	}, []);
	useInput(input => setView(input === 'W' ? 'log' : input === '3' ? 'events' : 'overview'));
	const screen = {
		snapshot,
		ui: {...initialUiState, view, size},
		size,
		now: systemClock.now(),
		armed: false,
		readOnly: false,
		version: 'bench',
	};
	return (
		<ThemeProvider value={theme}>
			<Frame screen={screen} />
		</ThemeProvider>
	);
}

const instance = render(<Window />, {
	alternateScreen: true,
	incrementalRendering: true,
	maxFps: 60,
	exitOnCtrlC: false,
});
process.on('SIGTERM', () => {
	instance.unmount();
	process.exit(0);
});
const eventBus = createEventBus({clock: systemClock, redact: event => event});
let snapshot = emptySnapshot;
eventBus.listen(event => {
	snapshot = reduce(snapshot, event);
	show?.(snapshot);
});
publishLoad(eventBus.publishFor('default'), Number(process.argv[2] ?? '0'));
