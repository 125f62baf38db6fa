import {expect, test} from 'vitest';
import {openDashboard} from './open-dashboard.ts';
import {approval, inProfile, server, started} from './sample-events.ts';

const origin = {kind: 'run', runId: '0123456789ab', route: 'issues', deliveryId: 'd'} as const;
const ofNobody = approval('7f3a');
const ofRun = approval('7f3a', {origin});
const ofRule = approval('7f3a', {origin, rule: {id: 'r1', words: 'asks for every tool, from route github'}});

async function openReview(request = ofNobody, size: {readonly columns?: number; readonly rows?: number} = {}) {
	const dashboard = await openDashboard({...size, events: [started(), server('github'), request]});
	await dashboard.press('A');
	await dashboard.shows('all shown');
	return dashboard;
}

const approved = (scope: string) => ({
	method: 'approvals.allow',
	params: {id: '7f3a', arguments_hash: 'hash-of-7f3a', scope},
	profile: 'default',
});

test.each([
	[80, 24],
	[159, 50],
	[40, 14],
])('r allows the tool for its run at %dx%d', async (columns, rows) => {
	const {press, sent, shows} = await openReview(ofRun, {columns, rows});
	await shows(columns === 40 ? 'r run' : 'Allow this tool for this run');
	await press('r');
	expect(sent).toEqual([approved('run')]);
});

test.each([
	['with a rule to make', ofNobody, 'ready · Enter denies · p makes a rule'],
	['of a rule that asks', ofRule, 'ready · Enter denies · Esc goes back'],
])('the last line of a small card %s has the keys that no other line has', async (_, request, words) => {
	const {terminal, press, ready, sent} = await openReview(request, {columns: 40, rows: 16});
	await ready();
	await expect.poll(async () => (await terminal.rows()).at(-1)?.trim()).toBe(words);
	await press('\r');
	expect(sent).toMatchObject([{method: 'approvals.deny'}]);
});

test('r decides nothing where no run asks', async () => {
	const {press, sent, hides} = await openReview();
	await hides('for this run');
	await press('r');
	expect(sent).toEqual([]);
	await press('a');
	expect(sent).toEqual([approved('once')]);
});

test.each(['s', 'w', 'r'])('%s decides nothing where a rule asks, and a allows once', async key => {
	const {press, sent, shows, hides} = await openReview(ofRule);
	await shows('a rule asks, so it can only be allowed once');
	await shows('asks for every tool, from route github');
	await hides('until Sluice stops');
	await press(key);
	expect(sent).toEqual([]);
	await press('a');
	expect(sent).toEqual([approved('once')]);
});

test('a key on the request of another profile answers there', async () => {
	const {press, sent} = await openReview(inProfile('work', ofNobody));
	await press('a');
	expect(sent).toEqual([{...approved('once'), profile: 'work'}]);
});
