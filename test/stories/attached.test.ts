import {DatabaseSync} from 'node:sqlite';
import {join} from 'node:path';
import {aroundEach, expect, test} from 'vitest';
import {quietMilliseconds} from '../../source/tui/state/arming.ts';
import {inOwnContext, onTestFinished} from '../helpers/on-test-finished.ts';
import {untilNumberCounts} from '../helpers/dashboard-ways.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, pressUntil, type Running, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {type Terminal} from '../helpers/terminal.ts';
import {addTask, garden, listTasks} from './garden.ts';

aroundEach(inOwnContext);

type Home = {readonly home: string};

async function startGateway(at: Home): Promise<Running> {
	const gateway = startSluice(at, 'gateway', 'run');
	await gateway.waitForLine('garden connected');
	return gateway;
}

/** A running gateway that keeps calls waiting, and a window that is attached to it. */
async function openAttached(...args: readonly string[]) {
	const at = {home: stateDirectory({mcp_servers: {garden}, approvals: {unattended: 'hold'}})};
	const gateway = await startGateway(at);
	const window = openDashboard(at, {columns: 120, rows: 30, args});
	await window.waitFor(attachedTo(gateway));
	return {at, gateway, window};
}

const attachedTo = ({pid}: Running) => new RegExp(`attached · pid ${pid}\\b[^]*garden +connected`, 'u');

/** The ends of requests and the persons who ended them, oldest first, in the journal. */
function decisions({home}: Home): string[] {
	const journal = new DatabaseSync(join(home, 'journal.db'), {readOnly: true});
	try {
		const rows = journal.prepare('SELECT record FROM decisions ORDER BY sequence').all();
		return rows.map(({record}) => {
			const {outcome, by = ''} = JSON.parse(String(record)) as {outcome: string; by?: string};
			return `${outcome} ${by}`.trim();
		});
	} finally {
		journal.close();
	}
}

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Types these keys in turn, until the returned function is called. */
function pressAllTheWhile(window: Terminal, keys: readonly string[]): () => void {
	let count = 0;
	const timer = setInterval(() => window.press(keys[count++ % keys.length] ?? ''), 45);
	onTestFinished(() => clearInterval(timer));
	return () => clearInterval(timer);
}

async function review(window: Terminal): Promise<void> {
	await window.waitFor('1 approval waiting');
	await pressUntil(window, 'A', 'APPROVAL 1 of 1');
	await window.waitFor(/^ ready/m);
}

test.concurrent('a window approves a call and leaves with q, and the gateway goes on', async () => {
	const {at, gateway, window} = await openAttached();
	const call = startSluice(at, ...addTask);
	await review(window);
	window.press('a');
	expect(await call.end).toMatchObject({code: 0, stdout: 'Added #4 Mow the lawn (garden)\n'});

	// A waiting request is no reason to ask: it goes on waiting.
	const next = startSluice(at, ...addTask);
	await window.waitFor('1 approval waiting');
	// A key so soon after the card may have been meant for that.
	await pressUntil(window, '4', '4 Runs and inbox');
	window.press('q');
	expect([await window.exit, window.isAlternate()]).toEqual([0, false]);
	const [{id}] = (await runSluiceJson(at, 'approvals', 'list')) as [{id: string}];
	expect(await runSluice(at, 'approvals', 'deny', id)).toMatchObject({code: 0});
	expect((await next.end).code).toBe(1);
	expect((await runSluice(at, ...listTasks)).stdout).toMatch(/#4 Mow the lawn/u);
	expect(decisions(at)).toEqual(['approved console:1', 'denied cli']);

	gateway.signal('SIGTERM');
	expect(await gateway.end).toMatchObject({code: 0});
});

test.concurrent.each(['SIGKILL', 'SIGTERM'] as const)(
	'a gateway that %s ends takes along what is being read: no key decides anything, and its successor has not got it',
	async signal => {
		const {at, gateway, window} = await openAttached();
		const call = startSluice(at, ...addTask);
		await review(window);
		gateway.signal(signal);
		// One that is asked to stop may take an answer before it does.
		await (signal === 'SIGTERM' && gateway.end);
		const endPressing = pressAllTheWhile(window, ['a', 's', 'w', '\r']);
		await window.waitFor('no connection');
		expect((await call.end).code).not.toBe(0);
		const successor = await startGateway(at);
		const next = startSluice(at, ...addTask);
		await window.waitFor(`attached · pid ${successor.pid}`);
		await window.waitFor('1 approval waiting');
		// Keys have real time in which none may decide.
		await wait(500);
		endPressing();
		expect(window.screen().join('\n')).toMatch(/no longer waiting|still waits is shown again/u);
		expect(await runSluiceJson(at, 'approvals', 'list')).toHaveLength(1);
		// A gateway that stops by itself withdraws what waits.
		expect(decisions(at)).toEqual(signal === 'SIGTERM' ? ['cancelled'] : []);

		// The page takes no key within 400 ms of the last one, and listing takes less than that.
		await wait(quietMilliseconds);
		await pressUntil(window, 'n', 'APPROVAL 1 of 1');
		await window.waitFor(/^ ready/m);
		window.press('a');
		expect(await next.end).toMatchObject({code: 0});
		expect(decisions(at).at(-1)).toBe('approved console:1');
	},
);

test.concurrent('a read-only window decides nothing', async () => {
	const {at, window} = await openAttached('--read-only');
	const call = startSluice(at, ...addTask);
	await window.waitFor('1 approval waiting');
	for (const key of ['A', 'a', 's', '\r', 'w', 'd', 'a', '\r', 'y']) {
		window.press(key);
		// No key acts within 400 ms of the last one.
		await wait(quietMilliseconds + 50);
	}

	expect(window.screen().join('\n')).toContain('it cannot be answered here');
	const waiting = (await runSluiceJson(at, 'approvals', 'list')) as Array<{id: string}>;
	expect(waiting).toHaveLength(1);
	expect(await runSluice(at, 'approvals', 'deny', waiting[0]?.id ?? '')).toMatchObject({code: 0});
	expect((await call.end).code).toBe(1);
	expect(decisions(at)).toEqual(['denied cli']);
});

test.concurrent('a request is answered by a number where a screen reader reads the lines of a running gateway', async () => {
	const at = {home: stateDirectory({mcp_servers: {garden}})};
	await startGateway(at);
	const terminal = openDashboard(at, {columns: 120, rows: 40, args: ['--screen-reader']});
	await terminal.waitFor('attached to the gateway');
	const call = startSluice(at, ...addTask);
	await terminal.waitFor('Type a number and press Enter.');
	await untilNumberCounts();
	terminal.press('3\r');
	expect(await call.end).toMatchObject({code: 0, stdout: 'Added #4 Mow the lawn (garden)\n'});
	terminal.press('\u0003');
	expect(await terminal.exit).toBe(0);
	expect(decisions(at)).toEqual(['approved console:1']);
	expect((await runSluice(at, ...listTasks)).code).toBe(0);
});
