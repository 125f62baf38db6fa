import {once} from 'node:events';
import {chmodSync, renameSync} from 'node:fs';
import {createConnection, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {aroundEach, describe, expect, test, vi} from 'vitest';
import {controlProtocol} from '../../source/control/limits.ts';
import {inOwnContext, onTestFinished} from '../helpers/on-test-finished.ts';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {openDashboard, sluice, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {garden} from '../stories/garden.ts';
import {connectTo} from './control-fixture.ts';
import {emptyLine, lineOf, noteOf, openedLine, startOddConsoles} from './console-fixture.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';

aroundEach(inOwnContext);

const otherProtocol = 7;

/** Puts itself between a gateway and its later callers, with another protocol number; answers where the gateway can still be asked itself. */
async function askWithOtherProtocol(home: string): Promise<string> {
	const path = join(home, 'control.sock');
	const own = join(home, 'own.sock');
	renameSync(path, own);
	const sockets = new Set<Socket>();
	const server = createServer(socket => {
		const gateway = createConnection(own);
		for (const one of [socket, gateway]) {
			sockets.add(one);
			one.on('error', () => undefined);
		}

		socket.on('data', chunk => {
			gateway.write(String(chunk).replace(/"protocol":\d+/u, `"protocol":${otherProtocol}`));
		});
		gateway.pipe(socket);
		socket.on('close', () => gateway.destroy());
	}).listen(path);
	await once(server, 'listening');
	chmodSync(path, 0o600);
	onTestFinished(() => {
		sockets.forEach(socket => socket.destroy());
		server.close();
	});
	return own;
}

describe('a gateway of another protocol number', () => {
	test.concurrent('lets no window in, which says both numbers and what to do, and lets itself be looked at and stopped', async () => {
		const at = {home: stateDirectory({mcp_servers: {garden}, approvals: {unattended: 'hold'}})};
		const gateway = startSluice(at, 'gateway', 'run');
		await gateway.waitForLine('garden connected');
		const own = await askWithOtherProtocol(at.home);

		const window = openDashboard(at);
		expect(await window.exit).toBe(1);
		await window.waitFor(/^sluice: /m);
		expect(window.isAlternate()).toBe(false);
		const text = window.screen().join('').replaceAll(/\s+/gu, '');
		expect(text).toContain(`usesprotocol${controlProtocol},thiscommand${otherProtocol}`);
		expect(text).toContain('Restartthegatewaywith`sluicestop`and`sluice`');
		expect(await runSluice(at, 'mcp', 'list')).toMatchObject({code: 1, stderr: expect.stringContaining('protocol')});

		const client = await connectTo(own);
		const params = {name: 'mcp__garden__add_task', arguments: {title: 'Mow the lawn'}, approve: false};
		const call = client.call('mcp.call', params, {signal: neverAborted()});
		await gateway.waitForLine('asks for garden/add_task');
		const waiting = (await runSluiceJson(at, 'approvals', 'list')) as Array<{id: string}>;
		expect(waiting).toMatchObject([{tool: 'add_task'}]);
		const id = waiting[0]?.id ?? '';
		const allowed = await runSluice(at, 'approvals', 'allow', id, '--hash', 'x');
		expect(allowed).toMatchObject({code: 1, stderr: expect.stringContaining('protocol')});
		expect(await runSluice(at, 'approvals', 'deny', id)).toMatchObject({code: 0});
		expect(await call).toMatchObject({error: {code: 'denied'}});
		expect(await runSluiceJson(at, 'status')).toMatchObject({pid: gateway.pid});
		expect(await sluice(at, 'stop')).toMatchObject({code: 0});
		expect(await gateway.end).toMatchObject({code: 0});
	});
});

describe('a window that was never attached ends with one message, on the terminal as it was', () => {
	test.concurrent.for<readonly [title: string, text: string, message: string]>([
		['nonsense', 'hello\n', 'sent a line that cannot be read'],
		['a snapshot of other types', openedLine + noteOf({kind: 'snapshot', snapshot: {servers: 7}}), 'cannot be read'],
		[
			'why it hangs up',
			lineOf({id: 1, error: {code: 'control_failed', message: 'This window is too loud'}}),
			'This window is too loud',
		],
	])('because its gateway sent %s', async ([, text, message]) => {
		const home = stateDirectory();
		await startOddConsoles({text, path: join(home, 'control.sock')});
		const window = openDashboard({home});
		expect(await window.exit).toBe(1);
		await window.waitFor(/^sluice: /m);
		expect(window.isAlternate()).toBe(false);
		const shown = window.screen().join(' ').replaceAll(/\s+/gu, ' ');
		expect(shown).toContain(message);
		expect(shown).toContain('Run `sluice doctor`');
		expect(shown.split('sluice:')).toHaveLength(2);
	});

	test.concurrent('because its control socket may be used by others', async () => {
		const home = stateDirectory();
		const path = join(home, 'control.sock');
		await startOddConsoles({text: openedLine + emptyLine, path});
		chmodSync(path, 0o666);
		const window = openDashboard({home});
		expect(await window.exit).toBe(1);
		const shown = window.screen().join(' ').replaceAll(/\s+/gu, '');
		expect(shown).toContain('isopentoothers');
		expect(shown).toContain('removethenamedfile');
	});

	test.concurrent('because its gateway sent rows that cannot be drawn', async () => {
		const home = stateDirectory();
		const snapshot = {...emptySnapshot, approvals: [{}], servers: [{}]};
		await startOddConsoles({text: openedLine + noteOf({kind: 'snapshot', snapshot}), path: join(home, 'control.sock')});
		const window = openDashboard({home});
		expect(await window.exit).toBe(1);
		await window.waitFor(/^sluice: The events of the running gateway cannot be drawn/m);
		await window.waitFor('Run `sluice doctor`');
		expect(window.isAlternate()).toBe(false);
	});
});

test.concurrent('a window whose gateway sends nonsense later says so, and attaches again', async () => {
	const home = stateDirectory();
	const {opened} = await startOddConsoles({text: `${openedLine}${emptyLine}hello\n`, path: join(home, 'control.sock')});
	const window = openDashboard({home}, {columns: 120});
	await window.waitFor(/no connection since .* sent a line that cannot be read/);
	await vi.waitFor(() => expect(opened()).toBeGreaterThan(3), {timeout: 25_000});
	expect(window.isAlternate()).toBe(true);
	window.press('q');
	expect(await window.exit).toBe(0);
});

test.concurrent('where a dead gateway left its socket, a window starts a gateway of its own', async () => {
	const home = stateDirectory({mcp_servers: {garden}});
	const gateway = startSluice({home}, 'gateway', 'run');
	await gateway.waitForLine('garden connected');
	gateway.signal('SIGKILL');
	await gateway.end;
	const window = openDashboard({home});
	await window.waitFor(/● garden +connected/);
	expect(window.screen().join('\n')).not.toContain('attached');
	window.press('q');
	expect(await window.exit).toBe(0);
});
