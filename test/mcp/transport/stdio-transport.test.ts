import {spawn} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {aroundEach, describe, expect, test, vi} from 'vitest';
import {fixture} from '../../helpers/fixture-program.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {inOwnContext, onTestFinished} from '../../helpers/on-test-finished.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {callForText, openConnections, serverConfig, stdioFixture} from '../fixture-servers.ts';

// Most of it waits for programs to start and to end.
aroundEach(inOwnContext);

function isAlive(process_: number): boolean {
	try {
		process.kill(process_, 0);
		// A zombie whose parent has not asked for it is not alive either.
		return !/^State:\s+Z/mu.test(readFileSync(`/proc/${process_}/status`, 'utf8'));
	} catch {
		return false;
	}
}

function idsIn(file: string): number[] {
	return existsSync(file) ? readFileSync(file, 'utf8').split(' ').map(Number) : [];
}

const untilEnded = (ids: readonly number[]) =>
	vi.waitFor(() => expect(ids.map(isAlive)).toEqual([false, false]), {timeout: 25_000});

/** A test that fails must not leave processes behind. */
function endWithTest(ids: readonly number[]): void {
	onTestFinished(() => {
		for (const id of ids.filter(isAlive)) {
			process.kill(id, 'SIGKILL');
		}
	});
}

test.concurrent('a child gets the listed variables, its own, and nothing else', async () => {
	const transport = {...stdioFixture('mcp-both-eras.ts', 'stdio'), env: {OWN: '${NAME}'}};
	const {connections} = openConnections([serverConfig(transport)], {
		environment: {PATH: '/usr/bin:/bin', LC_ALL: 'C', GITHUB_TOKEN: 'secret'},
		expand: text => text.replace('${NAME}', 'expanded'),
	});
	await connections.settled(neverAborted());
	const seen: unknown = JSON.parse(await callForText(connections, 'environment', {}));
	expect(seen).toEqual({PATH: '/usr/bin:/bin', LC_ALL: 'C', OWN: 'expanded'});
});

test.concurrent('lines on stdout that are no messages are skipped and kept in the log', async () => {
	const {connections, logs} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'chatter'))]);
	await connections.settled(neverAborted());
	expect(await callForText(connections, 'huge', {})).toBe('xxxxxxxxxx');
	await connections.stop();
	expect(readFileSync(join(logs, 'fixture.log'), 'utf8')).toContain('Welcome to the server');
});

test.concurrent('what a server writes to stderr before it ends is in its log', async () => {
	const {connections, logs, until} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'exit'))]);
	await until(state => state.retryAt !== undefined);
	await connections.stop();
	expect(readFileSync(join(logs, 'fixture.log'), 'utf8')).toContain('cannot go on');
});

test.concurrent('a flood on stderr neither blocks the server nor fills the disk', async () => {
	const {connections, logs} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'flood'))]);
	await connections.settled(neverAborted());
	expect(await callForText(connections, 'huge', {})).toBe('xxxxxxxxxx');
	await connections.stop();
	const bytes = readdirSync(logs).reduce((sum, name) => sum + statSync(join(logs, name)).size, 0);
	expect(bytes).toBeLessThan(2.2 * 1024 * 1024);
});

test.concurrent('escapes on stderr are made harmless in the log', async () => {
	const {connections, logs} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'flood'))]);
	await connections.settled(neverAborted());
	await connections.stop();
	expect(readFileSync(join(logs, 'fixture.log'), 'utf8')).not.toContain('\u001B');
});

describe('stopping', () => {
	test.concurrent.each(['grandchild', 'orphan'])(
		'ends the grandchildren of a server, even stubborn ones (%s)',
		async mode => {
			const file = join(temporaryDirectory(), 'ids');
			const {connections} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', mode, file))]);
			await connections.settled(neverAborted());
			const ids = idsIn(file);
			endWithTest(ids);
			expect(ids.map(isAlive)).toEqual([true, true]);
			await connections.stop();
			await untilEnded(ids);
		},
	);

	test.concurrent('ends a server that ignores the end of its input and SIGTERM', async () => {
		const {connections, logs} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'stubborn'))]);
		await connections.settled(neverAborted());
		await connections.stop();
		expect(readFileSync(join(logs, 'fixture.log'), 'utf8')).toContain('ended by SIGKILL');
	});

	test.concurrent('ends a server that is still being connected', async () => {
		const {connections, logs} = openConnections([serverConfig(stdioFixture('mcp-misbehaving.ts', 'hang'))]);
		await vi.waitFor(() => expect(existsSync(join(logs, 'fixture.log'))).toBe(true), {timeout: 10_000});
		await connections.stop();
		expect(readFileSync(join(logs, 'fixture.log'), 'utf8')).toContain('The server ended');
	});
});

test.concurrent('a gateway that is killed takes its servers and their children along', async () => {
	const directory = temporaryDirectory();
	const file = join(directory, 'ids');
	const gateway = spawn(
		process.execPath,
		[fixture('mcp-gateway-stub.ts'), directory, process.execPath, fixture('mcp-misbehaving.ts'), 'grandchild', file],
		{stdio: ['ignore', 'pipe', 'inherit']},
	);
	for await (const line of createInterface({input: gateway.stdout})) {
		if (line.startsWith('connected')) {
			break;
		}
	}

	const ids = idsIn(file);
	endWithTest(ids);
	expect(ids.map(isAlive)).toEqual([true, true]);
	gateway.kill('SIGKILL');
	await untilEnded(ids);
});
