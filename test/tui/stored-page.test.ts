import {expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type PageSubject} from '../../source/state/view-event.ts';
import {openDashboard} from './open-dashboard.ts';
import {finished, settled, started} from './sample-events.ts';

const part = (subject: PageSubject, number: number, of: number): GatewayEventBody => ({
	type: 'view.page',
	subject,
	title: 'Stored',
	sections: [
		{
			title: 'Result',
			text: Array.from({length: 30}, (_, line) => `part ${number}  line ${line}`).join('\n'),
			layout: 'exact',
		},
	],
	part: {number, of},
});

const delivery: GatewayEventBody = {
	type: 'delivery.settled',
	delivery: 'd1',
	messageId: 'm1',
	job: 'nightly',
	target: 'slack',
	outcome: 'failed',
};

test.each([
	{what: 'a call that has ended', row: finished('c1'), view: '3', sent: {type: 'show-call', callId: 'c1'}},
	{what: 'a decision among the events', row: settled('a1'), view: '3', sent: {type: 'show-decision', id: 'a1'}},
	{what: 'a settled approval', row: settled('a1'), view: '2', sent: {type: 'show-decision', id: 'a1'}},
	{what: 'a delivery', row: delivery, view: '3', sent: {type: 'show-delivery', id: 'm1'}},
] as const)('Enter on $what asks for all of it', async ({row, view, sent}) => {
	const dashboard = await openDashboard({events: [started(), row]});
	await dashboard.press(view);
	await dashboard.press('\r');
	expect(dashboard.sent).toEqual([{...sent, profile: 'default'}]);
});

test('the row of a delivery names the job whose answer it is', async () => {
	const {press, shows} = await openDashboard({events: [started(), delivery]});
	await press('3');
	await shows('nightly');
});

test.each([
	{what: 'call', row: finished('c1'), view: '3', subject: {kind: 'call', callId: 'c1'}, command: 'show-call'},
	{
		what: 'settled approval',
		row: settled('a1'),
		view: '2',
		subject: {kind: 'decision', id: 'a1'},
		command: 'show-decision',
	},
] as const)('a long $what is read part by part, forwards and back', async ({row, view, subject, command}) => {
	const {press, dispatch, shows, hides, sent} = await openDashboard({events: [started(), row]});
	await press(view);
	await press('\r');
	await shows('asking the gateway');
	await dispatch(part(subject, 1, 2));
	// Both blanks: data is shown exactly.
	await shows('part 1  line 0');
	for (const key of ['\u001B[6~', '\u001B[6~', '\u001B[6~']) {
		await press(key);
	}

	await shows('asking the gateway');
	expect(sent.map(one => ('part' in one ? [one.type, one.part] : [one.type]))).toEqual([[command], [command, 2]]);
	await dispatch(part(subject, 2, 2));
	await shows('part 2  line 0');
	await hides('part 1  line');
	await press('G');
	await shows('part 2 of 2');
	await press('j');
	expect(sent).toHaveLength(2);
	await press('g');
	await press('k');
	expect(sent.at(-1)).not.toHaveProperty('part');
	await dispatch(part(subject, 1, 2));
	await shows('part 1 of 2 · scroll on for the next');
});
