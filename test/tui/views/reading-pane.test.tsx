import {expect, test} from 'vitest';
import {ReadingPane, TracePane} from '../../../source/tui/views/reading-pane.tsx';
import {type Mode, type TraceMode} from '../../../source/tui/state/mode.ts';
import {frameOf, screenOf} from '../render-component.tsx';
import {run, server, started, traced} from '../sample-events.ts';

const column = {columns: 79, rows: 50, part: 'column'} as const;
const events = [started(), server('github')];

test.each<readonly [Mode, 'here' | 'elsewhere', RegExp]>([
	[{kind: 'detail', id: 'default/github', scroll: 0}, 'here', /^─ 1 Overview · github ─/u],
	[
		{kind: 'detail', id: 'default/github', scroll: 0, place: 'column'},
		'here',
		/^─ selected · left goes back, enter opens it in full ─/u,
	],
	[
		{kind: 'detail', id: 'default/github', scroll: 0, place: 'column'},
		'elsewhere',
		/^─ selected · right scrolls it, enter opens it in full ─/u,
	],
])('a text has its title and its rows: %o, keys %s', (mode, keys, title) => {
	const screen = screenOf(events, {mode}, {size: column});
	const frame = frameOf(<ReadingPane screen={screen} height={12} keys={keys} />);
	expect(frame).toMatch(title);
	expect(frame.split('\n')).toHaveLength(12);
});

test('a text that is longer than its rows says which of them are shown', () => {
	const screen = screenOf(events, {mode: {kind: 'detail', id: 'default/github', scroll: 2}});
	expect(frameOf(<ReadingPane screen={screen} height={5} />)).toMatch(/· lines 3–6 of \d+ ─/u);
});

test('a trace has its lines, and what is under way in it', () => {
	const mode: TraceMode = {
		kind: 'trace',
		id: 'r1',
		subject: {kind: 'run', id: 'r1'},
		profile: 'default',
		picked: 'subject',
		behind: {kind: 'browse'},
	};
	const view = {...traced(mode.subject, {kind: 'run', runId: 'r1'}), runId: 'r1'};
	const screen = screenOf([started(), run('r1', {state: 'running'}), view], {view: 'runs', mode});
	const frame = frameOf(<TracePane screen={screen} mode={mode} height={12} />);
	expect(frame).toMatch(/^─ Trace r1[^]*> 22:13.*files\/read[^]*the model answers/u);
	expect(frame.split('\n')).toHaveLength(12);
	expect(frameOf(<TracePane screen={screen} mode={mode} height={12} keys="elsewhere" />)).not.toContain('>');
});
