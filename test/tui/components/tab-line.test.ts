import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../../source/state/event.ts';
import {tabLine} from '../../../source/tui/components/tab-line.ts';
import {initialUiState} from '../../../source/tui/state/ui-state.ts';
import {drawUiGlyphs} from '../../../source/util/characters/ui-glyphs.ts';
import {failing, job, route, run, server, snapshotOf, started} from '../sample-events.ts';

const lineOf = (events: readonly GatewayEventBody[], width: number) =>
	drawUiGlyphs(
		tabLine({snapshot: snapshotOf([started(), ...events]), ui: initialUiState}, width)
			.map(({text}) => text)
			.join(''),
		'unicode',
	);

const quiet = ' 1 Overview  2 You  3 Events  4 Runs  5 Jobs  6 Routes  7 Calls  W Log  P Parts';
const wrong = [server('a', {state: 'failed'}), run('r', {state: 'running'}), route('push'), failing('push')];

test.each([
	['all titles with blanks between them', [], 80, quiet],
	[
		'marks apart where there is room',
		wrong,
		120,
		' 1 Overview !2  2 You ◆1  3 Events  4 Runs ◐1  5 Jobs  6 Routes !1  7 Calls  W Log  P Parts',
	],
	[
		'all titles with narrow gaps at 80 columns',
		wrong,
		80,
		' 1 Overview!2 2 You◆1 3 Events 4 Runs◐1 5 Jobs 6 Routes!1 7 Calls W Log P Parts',
	],
	[
		'the titles last that have nothing to see',
		[...wrong, job('1'), failing('', {id: 'j', job: 'job-1'})],
		80,
		' 1 Overview!2 2 You◆2 3 Events 4 Runs◐1 5 Jobs!1 6 Routes!1 7 Calls W Log P',
	],
] as const)('tabs have %s', (_, events, width, line) => {
	expect(lineOf(events, width)).toBe(line);
});
