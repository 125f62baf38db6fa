import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {
	approval,
	call,
	proposal,
	question,
	sampleTime,
	server,
	settled,
	started,
	tool,
	tools,
	webhook,
} from './sample-events.ts';

const attached = {type: 'view.console', state: 'attached', number: 2, pid: 4711, mode: 'deciding'} as const;
const back = {...attached, number: 1, pid: 4712} as const;
const lost = {type: 'view.console', state: 'lost', reason: 'No gateway is running', since: sampleTime} as const;
const base = [started(), attached, server('garden')];
const lossTitle = 'The connection was lost';

const waiting: ReadonlyArray<readonly [string, GatewayEventBody, string, string]> = [
	['request', approval('7f3a'), 'APPROVAL 1 of 1', 'request #7f3a is no longer waiting'],
	['question', question('q'), 'QUESTION 1 of 1', 'it was withdrawn or answered elsewhere'],
	['install proposal', proposal('p'), 'Install a tool server?', 'it was withdrawn or answered elsewhere'],
];

async function openLost(row: GatewayEventBody, title: string) {
	const dashboard = await openDashboard({events: [...base, row]});
	await dashboard.press('A');
	await dashboard.shows(title);
	await dashboard.dispatch(lost);
	await dashboard.shows(lossTitle);
	return dashboard;
}

describe('that the connection was lost is said while it is lost, and not once it is back', () => {
	test.each(waiting)('on the page of a %s that is gone', async (kind, row, title, words) => {
		const {dispatch, shows, hides} = await openLost(row, title);
		await shows(`${kind} that still waits is shown again once the gateway is back.`);
		await dispatch(back);
		await shows(`The ${kind} has ended`);
		await shows(words);
		await hides(lossTitle);
		await dispatch(lost);
		await shows(lossTitle);
	});

	test.each(waiting)('on the page of a %s that still waits, which n opens', async (kind, row, title) => {
		const {dispatch, shows, hides, press, sent} = await openLost(row, title);
		await dispatch(back, row);
		await shows(`The ${kind} is still waiting`);
		await shows('Press n to show it.');
		await hides('that still waits is shown again');
		for (const key of ['a', 'd', 's', '\r', 'i', 'y']) {
			await press(key);
		}

		expect(sent).toEqual([]);
		await press('n');
		await shows(title);
	});

	test('on the page of a request that was answered meanwhile', async () => {
		const {dispatch, shows, hides} = await openLost(approval('7f3a'), 'APPROVAL 1 of 1');
		await dispatch(back, approval('7f3a'));
		await shows('The request is still waiting');
		await dispatch(settled('7f3a', {outcome: 'denied', scope: undefined, by: 'cli', message: 'no'}));
		await shows('The request was answered elsewhere');
		await shows('answered by cli: no');
		await hides('still waits');
	});

	test('on the page of a call by hand', async () => {
		const list = tools(tool('add', {inputSchema: {}}));
		const {dispatch, shows, hides, press} = await openDashboard({events: [...base, list]});
		await press('t');
		await press('e');
		await shows('> enter calls');
		await press('\r');
		await shows('Call by hand');
		await dispatch(lost);
		await shows(lossTitle);
		await shows('The call may go on.');
		await dispatch(back);
		await shows('The outcome of the call is not known here');
		await hides('once the gateway is back');
	});

	test('under a reason for a denial, which counts again for a request that still waits', async () => {
		const {dispatch, press, shows, hides, sent} = await openDashboard({events: [...base, approval('7f3a')]});
		await press('A');
		await press('m');
		await press('no');
		await dispatch(lost);
		await shows('too late:');
		await press('\r');
		await shows(lossTitle);
		expect(sent).toEqual([]);
		await dispatch(back, approval('7f3a'));
		await shows('The request is still waiting');
		await press('n');
		await press('m');
		await press('not today');
		await dispatch(lost);
		await shows('too late:');
		await dispatch(back, approval('7f3a'));
		await hides('too late:');
		await shows('deny, because: not today');
		await press('\r');
		expect(sent).toMatchObject([{method: 'approvals.deny', params: {id: '7f3a', message: 'not today'}}]);
	});
});

describe('a page that is open is asked for again once the connection is back', () => {
	test.each([
		['a trace', webhook('push'), ['3', '\r'], {method: 'traces.view', params: {subject: {kind: 'event', id: 'e1'}}}],
		['a server', call('c1'), ['\r'], {method: 'mcp.view', params: {server: 'garden'}}],
		['stderr', call('c1'), ['l'], {method: 'mcp.view-log', params: {server: 'garden'}}],
	] as const)('%s', async (_, row, keys, command) => {
		const {dispatch, press, sent, shows} = await openDashboard({events: [...base, row]});
		for (const key of keys) {
			await press(key);
		}

		await shows('asking the gateway');
		expect(sent).toMatchObject([command]);
		await dispatch(lost);
		expect(sent).toHaveLength(1);
		await dispatch(back, row);
		expect(sent).toMatchObject([command, command]);
		await dispatch(server('other'));
		expect(sent).toHaveLength(2);
	});
});
