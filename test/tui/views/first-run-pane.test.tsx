import {expect, test} from 'vitest';
import {FirstRunPane} from '../../../source/tui/views/first-run-pane.tsx';
import {frameOf, screenOf} from '../render-component.tsx';
import {started} from '../sample-events.ts';

const textOf = (...options: Parameters<typeof screenOf>) =>
	frameOf(<FirstRunPane screen={screenOf(...options)} height={16} />);

test('names the ways to begin, and the keys for them', () => {
	const text = textOf([started()]);
	expect(text.split('\n')).toHaveLength(16);
	expect(text).toContain('Sluice is running, and nothing is configured yet.');
	expect(text).toMatch(/ {2}D {2}see it work .*\n {2}a {2}add a tool server .*\n {2}w {2}turn on webhooks /u);
});

test('offers nothing that changes something where nothing may be changed', () => {
	const text = textOf([started()], {}, {readOnly: true});
	expect(text).toContain('read-only: this dashboard cannot change anything');
	expect(text).not.toContain('add a tool server');
});

test('names the address of webhooks once they listen', () => {
	const text = textOf([started({webhookUrl: 'http://127.0.0.1:8644'})]);
	expect(text).toContain('● webhooks listen at http://127.0.0.1:8644');
	expect(text).not.toContain('turn on webhooks');
});
