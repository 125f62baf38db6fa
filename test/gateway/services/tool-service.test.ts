import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {startToolService, stdioEntry, writeServers} from '../start-tool-service.ts';

const signal = neverAborted();
const origin = {kind: 'command-line'} as const;

describe('a lazy server', () => {
	/** A state directory whose lazy server was connected by an earlier gateway. */
	async function afterFirstRun(entry: object) {
		const home = temporaryDirectory();
		writeServers(home, {notes: {...entry, lazy: true, trust: 'untrusted'}});
		const first = await startToolService(home);
		expect(first.row('notes')?.state).toBe('connected');
		await first.stop();
		expect(existsSync(first.paths.schemaCache)).toBe(true);
		return startToolService(home);
	}

	test('sleeps after the second start, with its tools registered', async () => {
		const {row, catalogue} = await afterFirstRun(stdioEntry('mcp-plain.ts'));
		expect(row('notes')).toMatchObject({state: 'lazy', tools: 8});
		expect(catalogue.find('mcp__notes__echo')).toBeDefined();
	});

	test('sleeps on when a call is denied', async () => {
		const {row, callTool} = await afterFirstRun(stdioEntry('mcp-plain.ts'));
		const outcome = await callTool({name: 'mcp__notes__append', arguments: {}, origin}, {signal});
		expect(outcome).toMatchObject({error: {code: 'no_channel'}});
		expect(row('notes')).toMatchObject({state: 'lazy'});
	});

	test('wakes at the first call that is allowed', async () => {
		const {row, callTool} = await afterFirstRun(stdioEntry('mcp-plain.ts'));
		const outcome = await callTool({name: 'mcp__notes__echo', arguments: {text: 'awake'}, origin}, {signal});
		expect(outcome).toEqual({kind: 'result', result: 'awake'});
		expect(row('notes')).toMatchObject({state: 'connected'});
	});
});

describe('two servers whose tools end in the same names', () => {
	const program = stdioEntry('mcp-plain.ts');

	test('show who lost: the later one in the configuration, in its row', async () => {
		const home = temporaryDirectory();
		writeServers(home, {'a.b': program, 'a-b': program});
		const {row} = await startToolService(home);
		expect(row('a.b')).toMatchObject({state: 'connected', tools: 8});
		expect(row('a.b')?.reason).toBeUndefined();
		expect(row('a-b')).toMatchObject({
			state: 'connected',
			tools: 0,
			reason: expect.stringMatching(
				/^.*echo.* is not registered, because "echo" of a\.b already has the name mcp__a_b__echo.* \(and 7 more\)$/u,
			),
		});
	});

	test('show it at once when the first one comes later, and when it goes again', async () => {
		const home = temporaryDirectory();
		writeServers(home, {'a.b': {...program, enabled: false}, 'a-b': program});
		const {row, reload} = await startToolService(home);
		expect(row('a-b')).toMatchObject({tools: 8});
		writeServers(home, {'a.b': program, 'a-b': program});
		expect(await reload()).toMatchObject({reconnected: ['a.b'], unchanged: ['a-b']});
		expect(row('a-b')).toMatchObject({
			state: 'connected',
			tools: 0,
			reason: expect.stringContaining('already has the name'),
		});
		writeServers(home, {'a-b': program});
		await reload();
		expect(row('a-b')).toMatchObject({state: 'connected', tools: 8});
		expect(row('a-b')?.reason).toBeUndefined();
	});

	test('are heard of no more often than something changes', async () => {
		const home = temporaryDirectory();
		writeServers(home, {'a.b': program, 'c.d': program});
		const {recorded, reload} = await startToolService(home);
		const before = recorded.ofType('server.state').length;
		await reload();
		expect([before, recorded.ofType('server.state').length]).toEqual([4, 4]);
	});
});

describe('a lazy server that has changed in its sleep', () => {
	const changing = 'mcp-changing.ts';

	test('drops a tool that is gone, with a clear error', async () => {
		const home = temporaryDirectory();
		writeServers(home, {notes: {...stdioEntry(changing, `${home}/starts`), lazy: true}});
		await (await startToolService(home)).stop();
		const {callTool, catalogue} = await startToolService(home);
		expect(catalogue.find('mcp__notes__old')).toBeDefined();
		const outcome = await callTool({name: 'mcp__notes__old', arguments: {}, origin}, {signal});
		expect(outcome).toMatchObject({
			error: {code: 'unknown_tool', message: expect.stringContaining('no longer offers the tool "old"')},
		});
		expect(catalogue.find('mcp__notes__old')).toBeUndefined();
	});

	test('does not run a tool whose claim to be read-only let it run without approval and is gone now', async () => {
		const home = temporaryDirectory();
		writeServers(home, {notes: {...stdioEntry(changing, `${home}/starts`), lazy: true, trust: 'untrusted'}});
		await (await startToolService(home)).stop();
		const {callTool} = await startToolService(home);
		const call = {name: 'mcp__notes__sly', arguments: {}, origin};
		expect(await callTool(call, {signal})).toMatchObject({error: {code: 'cancelled'}});
		expect(existsSync(`${home}/starts.called`)).toBe(false);
		expect(await callTool(call, {signal})).toMatchObject({error: {code: 'no_channel'}});
	});
});

test('an entry that cannot be used is listed with its own transport and the key that is wrong', async () => {
	const home = temporaryDirectory();
	writeServers(home, {web: {url: 'ftp://h/'}, events: {url: 'h', transport: 'sse'}, none: {args: []}});
	const {row} = await startToolService(home);
	expect([row('web'), row('events'), row('none')]).toMatchObject([
		{
			state: 'failed',
			transport: 'http',
			reason: expect.stringContaining('mcp_servers.web.url: An address that begins with ftp: is not allowed here'),
		},
		{
			state: 'failed',
			transport: 'sse',
			reason: expect.stringContaining('mcp_servers.events.url: The text is not an address'),
		},
		{
			state: 'failed',
			transport: 'stdio',
			reason: expect.stringContaining('mcp_servers.none: The server has neither `command` nor `url`'),
		},
	]);
});

test('a variable that changed in `.env` reaches the servers that use it at a reload, and no other is connected again', async () => {
	const home = temporaryDirectory();
	const env = join(home, '.env');
	writeFileSync(env, 'GARDEN_TOKEN=first-token\nPASSED=first-value\n', {mode: 0o600});
	const program = stdioEntry('mcp-plain.ts');
	writeServers(home, {
		refers: {...program, env: {TOKEN: '${GARDEN_TOKEN}'}},
		passes: {...program, pass_env: ['PASSED']},
		other: program,
	});
	const {reload, callTool} = await startToolService(home);
	writeFileSync(env, 'GARDEN_TOKEN=second-token\nPASSED=second-value\n', {mode: 0o600});
	expect(await reload()).toMatchObject({reconnected: ['refers', 'passes'], unchanged: ['other']});
	const environmentOf = async (server: string) =>
		JSON.stringify(await callTool({name: `mcp__${server}__environment`, arguments: {}, origin}, {signal}));
	expect(await environmentOf('refers')).toContain('second-token');
	expect(await environmentOf('passes')).toContain('second-value');
	expect(await reload()).toMatchObject({reconnected: [], unchanged: ['refers', 'passes', 'other']});
});
