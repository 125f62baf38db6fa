import {expect, test} from 'vitest';
import {ListPane, Pane} from '../../../source/tui/components/pane.tsx';
import {allViews, viewLabel} from '../../../source/tui/lists/view-table.ts';
import {span} from '../../../source/tui/text/span.ts';
import {frameOf, screenOf} from '../render-component.tsx';
import {call, job, log, login, route, run, server, started, tool, tools, uncertain, webhook} from '../sample-events.ts';

const events = [
	started(),
	server('github'),
	uncertain('u'),
	webhook('push'),
	log('a line of the log'),
	run('run-1'),
	job('1'),
	route('push'),
	call('c'),
	login('github'),
	tools(tool('find')),
];

test('a pane is its title and its lines, in exactly its rows', () => {
	const lines = [[span('one')], [span('two')], [span('three')]];
	expect(frameOf(<Pane title="Title" active lines={lines} width={20} height={3} />).split('\n')).toEqual([
		'─ Title ────────────',
		'one',
		'two',
	]);
});

test.each(allViews)('the list of %s has its title and fits, empty and not', view => {
	for (const shown of [[], events]) {
		const rows = frameOf(<ListPane screen={screenOf(shown, {view})} view={view} width={60} height={5} />).split('\n');
		expect(rows).toHaveLength(5);
		expect(rows[0]).toContain(` ${viewLabel(view)} `);
		expect(rows[1]?.trim()).not.toBe('');
	}
});

test.each([
	['overview', '> ● github'],
	['you', 'uncertain'],
	['events', 'push'],
	['log', 'a line of the log'],
	['runs', 'queued'],
	['jobs', 'job-1'],
	['routes', 'push'],
	['calls', 'github/search'],
	['logins', 'WDJB-MJHT'],
	['tools', 'find'],
] as const)('the list of %s shows its rows', (view, text) => {
	const pane = <ListPane screen={screenOf(events, {view})} view={view} width={90} height={5} />;
	expect(frameOf(pane)).toContain(text);
});
