import {expect, test} from 'vitest';
import {Overview} from '../../../source/tui/views/overview.tsx';
import {frameOf, screenOf} from '../render-component.tsx';
import {approval, call, failing, route, run, server, started, uncertain, webhook} from '../sample-events.ts';

const events = [started(), server('github'), server('files'), webhook('push'), approval('1'), call('c')];
const frame = (columns: number, rows: number) =>
	frameOf(<Overview screen={screenOf(events, {}, {size: {columns, rows}})} height={rows - 3} />).split('\n');

test('is the servers alone on a narrow terminal', () => {
	const rows = frame(40, 10);
	expect(rows).toHaveLength(7);
	expect(rows.filter(row => row.startsWith('─ '))).toEqual([expect.stringContaining('1 Servers')]);
});

test('has the events below the servers in one column', () => {
	const rows = frame(80, 24);
	expect(rows).toHaveLength(21);
	expect(rows.filter(row => row.startsWith('─')).map(row => row.slice(2, 11))).toEqual(['1 Servers', '3 Events ']);
});

test('lists everything that waits for a person beside the servers on a wide terminal', () => {
	const waiting = [
		server('drive', {state: 'needs-login', reason: 'HTTP 401'}),
		uncertain('u'),
		run('r1', {state: 'inbox', prompt: 'Triage'}),
		route('push'),
		failing('push'),
	];
	const size = {columns: 160, rows: 50};
	const text = (more: typeof waiting) =>
		frameOf(<Overview screen={screenOf([...events, ...more], {}, {size})} height={47} />);
	expect(text([])).not.toContain('Also waiting');
	const shown = text(waiting);
	expect(shown).toMatch(/2 Approvals[^]*github\/create_issue[^]*uncertain[^]*Also waiting · 3/u);
	const also = shown.slice(shown.indexOf('Also waiting'));
	for (const row of [/1 ◇ drive +needs login/u, /5 ◇ inbox.*Triage/u, /7 ✖ push +failing/u]) {
		expect(also).toMatch(row);
	}
});

test('the selected server is in its first row; without servers it is the first steps', () => {
	expect(frame(80, 24)[1]).toContain('> ● github');
	const empty = frameOf(<Overview screen={screenOf([started({configured: {servers: 0, routes: 0}})])} height={20} />);
	expect(empty).toContain('first steps');
});
