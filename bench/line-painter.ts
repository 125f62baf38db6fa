import {type Tone} from '../source/state/entities/status-text.ts';
import {emptySnapshot} from '../source/state/snapshot.ts';
import {createEventBus} from '../source/state/event-bus.ts';
import {createStore} from '../source/state/store.ts';
import {listLines, viewTitle} from '../source/tui/components/list-lines.ts';
import {listPosition} from '../source/tui/state/selection.ts';
import {drawUiGlyphs} from '../source/util/characters/ui-glyphs.ts';
import {cutLine, type Line, ruleLine} from '../source/tui/text/span.ts';
import {topLines} from '../source/tui/components/top-lines.ts';
import {initialUiState} from '../source/tui/state/ui-state.ts';
import {type ViewName} from '../source/tui/lists/view-table.ts';
import {systemClock} from '../source/util/clock.ts';
import {publishLoad} from './made-up-events.ts';
import {keyNames} from '../source/tui/state/key-names.ts';

/*
The floor: the same store and the same lines, painted by hand. Each line is compared with the one before and only a changed one is written.
Argument: events per second.
*/

const {columns, rows} = process.stdout;
const size = {columns, rows};
const codes: Partial<Record<Tone, string>> = {
	dim: '2',
	strong: '1',
	good: '32',
	busy: '33',
	bad: '1;31',
	notice: '1;35',
	accent: '36',
};
const store = createStore({clock: systemClock, isBlocked: () => process.stdout.writableLength > 0});
const eventBus = createEventBus({clock: systemClock, redact: event => event});
eventBus.listen(store.publish);
let view: ViewName = 'overview';
let painted: readonly string[] = [];

function frame(): readonly Line[] {
	const snapshot = store.getSnapshot();
	const ui = {...initialUiState, view, size};
	const screen = {snapshot, ui, size, now: systemClock.now(), armed: false, readOnly: false, version: 'bench'};
	const list = (name: ViewName, height: number) => [
		ruleLine(viewTitle(name, ui, snapshot), columns),
		...listLines(listPosition(ui, name, snapshot), {
			width: columns,
			height: height - 1,
			now: screen.now,
			active: true,
			profileCells: 0,
			keys: keyNames({readOnly: false, snapshot: emptySnapshot}),
		}),
	];
	return [
		...topLines(screen, 'all'),
		...(view === 'overview' ? [...list('overview', 12), ...list('events', rows - 14)] : list(view, rows - 2)),
	];
}

function paint(): void {
	const lines = frame().map(line =>
		cutLine(line, columns)
			.map(({text, tone}) => ({tone, text: drawUiGlyphs(text, 'unicode')}))
			.map(({text, tone}) => (codes[tone] ? `\u001B[${codes[tone]}m${text}\u001B[0m` : text))
			.join(''),
	);
	const changed = Array.from({length: rows}, (_, row) =>
		lines[row] === painted[row] ? '' : `\u001B[${row + 1};1H${lines[row] ?? ''}\u001B[K`,
	).join('');
	painted = lines;
	if (changed !== '') {
		process.stdout.write(changed);
	}
}

process.stdout.write('\u001B[?1049h\u001B[?25l');
process.stdin.setRawMode(true);
process.stdin.on('data', keys => {
	view = keys.toString() === 'W' ? 'log' : keys.toString() === '3' ? 'events' : 'overview';
	paint();
});
process.on('SIGTERM', () => {
	process.stdout.write('\u001B[?25h\u001B[?1049l');
	process.exit(0);
});
store.subscribe(paint);
publishLoad(eventBus.publishFor('default'), Number(process.argv[2] ?? '0'));
