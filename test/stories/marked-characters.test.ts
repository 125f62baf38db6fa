import {aroundEach, expect, test, vi} from 'vitest';
import {dashboardWays, openDashboardIn, untilNumberCounts} from '../helpers/dashboard-ways.ts';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, startSluice, stateDirectory, typeSluice} from '../helpers/sluice.ts';
import {addTask, garden} from './garden.ts';

aroundEach(inOwnContext);

/** With a Cyrillic `е`. */
const forged = ['mcp', 'call', 'mcp__garden__add_task', '--args', '{"title":"dеlete it"}'];
const added = (title: string) => ({code: 0, stdout: expect.stringMatching(new RegExp(`^Added #\\d ${title} `, 'u'))});

type Waiting = {readonly id: string; readonly arguments_hash: string; readonly marked_characters: number};
const list = async (at: {home: string}) => (await runSluiceJson(at, 'approvals', 'list')) as Waiting[];

async function openGateway() {
	const at = {home: stateDirectory({mcp_servers: {garden}, approvals: {unattended: 'hold'}})};
	const gateway = startSluice(at, 'gateway', 'run');
	await gateway.waitForLine('garden connected');
	return {at};
}

/** Has a call wait, and answers the end of its id, by which it is named. */
async function ask({at}: {at: {home: string}}, call: readonly string[]) {
	const asked = startSluice(at, ...call);
	await vi.waitFor(async () => expect(await list(at)).toHaveLength(1), {timeout: 20_000});
	const [waiting] = await list(at);
	return {call: asked, ...(waiting ?? expect.fail('nothing waits'))};
}

test.concurrent.each(dashboardWays)(
	'a look-alike is escaped on the card and needs the key twice, where any other call needs it once (gateway: %s)',
	async way => {
		const at = {home: stateDirectory({mcp_servers: {garden}})};
		const dashboard = await openDashboardIn(way, at);
		await dashboard.waitFor(/● garden +connected/);
		const call = startSluice(at, ...forged);
		await dashboard.waitFor('1 approval waiting');
		await pressUntil(dashboard, 'A', 'APPROVAL 1 of 1');
		await dashboard.waitFor(/^ ready/m);
		const card = dashboard.screen().join('\n');
		expect(card).toContain('"title": "d‹U+0435›lete it"');
		expect(card).toContain('1 character marked');
		dashboard.press('a');
		await dashboard.waitFor(/^ ready · press a again: 1 character marked/m);
		expect(await list(at)).toMatchObject([{marked_characters: 1}]);
		dashboard.press('a');
		expect(await call.end).toMatchObject(added('dеlete it'));

		const other = startSluice(at, ...addTask);
		await dashboard.waitFor('1 approval waiting');
		await pressUntil(dashboard, 'A', 'APPROVAL 1 of 1');
		await dashboard.waitFor(/^ ready/m);
		dashboard.press('a');
		expect(await other.end).toMatchObject(added('Mow the lawn'));
	},
	60_000,
);

test.concurrent('the command asks twice at a terminal', async () => {
	const opened = await openGateway();
	const {at} = opened;
	const {call, id} = await ask(opened, forged);
	const refusing = typeSluice(at, 'approvals', 'allow', id);
	await refusing.waitFor('Allow this call once? [y/N]');
	expect(refusing.screen().join('\n')).toContain('"title": "d‹U+0435›lete it"');
	refusing.press('y\r');
	await refusing.waitFor('Are you sure? 1 character marked. [y/N]');
	refusing.press('\r');
	await refusing.waitFor('Nothing was allowed.');
	expect(await list(at)).toMatchObject([{id}]);

	const allowing = typeSluice(at, 'approvals', 'allow', id);
	await allowing.waitFor('Allow this call once? [y/N]');
	allowing.press('y\r');
	await allowing.waitFor('Are you sure? 1 character marked. [y/N]');
	allowing.press('y\r');
	await allowing.waitFor('Allowed.');
	expect(await call.end).toMatchObject(added('dеlete it'));
});

test.concurrent('without a terminal only the hash under the page with the marks allows it', async () => {
	const opened = await openGateway();
	const {at} = opened;
	const {call, id, arguments_hash: listed} = await ask(opened, forged);
	expect(await runSluice(at, 'approvals', 'allow', id, '--hash', listed)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('Some of its characters are marked'),
	});
	const page = await runSluice(at, 'approvals', 'allow', id);
	expect(page).toMatchObject({code: 2, stderr: expect.stringContaining('"title": "d‹U+0435›lete it"')});
	const hash = /^1 character marked: .*\nhash: ([0-9a-f]{64})$/mu.exec(page.stderr)?.[1] ?? page.stderr;
	expect([listed === hash, page.stderr.includes(listed), await list(at)]).toMatchObject([false, false, [{id}]]);
	expect(await runSluice(at, 'approvals', 'allow', id, '--hash', hash)).toMatchObject({code: 0});
	expect(await call.end).toMatchObject(added('dеlete it'));

	const other = await ask(opened, addTask);
	expect(await runSluice(at, 'approvals', 'allow', other.id, '--hash', other.arguments_hash)).toMatchObject({code: 0});
	expect(await other.call.end).toMatchObject(added('Mow the lawn'));
});

test.concurrent('a screen reader hears the marks, and the number is asked for twice', async () => {
	const at = {home: stateDirectory({mcp_servers: {garden}})};
	const terminal = openDashboard(at, {args: ['--screen-reader'], columns: 120, rows: 40});
	await terminal.waitFor(/garden connected/);
	const call = startSluice(at, ...forged);
	await terminal.waitFor('Type a number and press Enter.');
	const heard = terminal.screen().join('\n');
	expect(heard).toContain('"title": "d‹U+0435›lete it"');
	expect(heard).toContain('1 character marked: shown as ‹U+…›, a look-alike or foreign to its word, host or path.');
	await untilNumberCounts();
	terminal.press('3\r');
	await terminal.waitFor('Are you sure? 1 character marked.');
	expect(await list(at)).toHaveLength(1);
	await untilNumberCounts();
	terminal.press('3\r');
	expect(await call.end).toMatchObject(added('dеlete it'));
});
