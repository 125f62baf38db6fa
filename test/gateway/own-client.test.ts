import {once} from 'node:events';
import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {Server} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {acquireLock} from '../../source/control/lock.ts';
import {methods} from '../../source/control/methods.ts';
import {openOwnClient} from '../../source/gateway/own-client.ts';
import {type MethodName, type NoteOf, type ParamsOf} from '../../source/state/api.ts';
import {fixture} from '../helpers/fixture-program.ts';
import {toProblem} from '../../source/util/problem.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {startAuthorizationServer} from '../simulators/authorization-server.ts';
import {startProtectedServer} from '../simulators/protected-server.ts';

/** A state directory whose lock somebody else holds, and whose server leaves a file when its process starts. */
async function openDirectory(servers: object = {}) {
	const home = temporaryDirectory();
	const started = join(home, 'started');
	const script = `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); import(${JSON.stringify(fixture('mcp-plain.ts'))})`;
	const garden = {command: process.execPath, args: ['-e', script], trust: 'full'};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: {garden, ...servers}}));
	const runtime = createTestRuntime(home);
	const {release} = await acquireLock(runtime.paths.lock);
	onTestFinished(release);
	const own = openOwnClient(runtime, {signal: neverAborted(), report: () => undefined});
	onTestFinished(own.close);
	const files = () =>
		readdirSync(home, {recursive: true, withFileTypes: true}).flatMap(entry => (entry.isDirectory() ? [] : entry.name));
	const before = new Set(files());
	const listened = vi.spyOn(Server.prototype, 'listen');
	onTestFinished(() => listened.mockRestore());
	return {
		own,
		release,
		isStarted: () => existsSync(started),
		isListening: () => listened.mock.calls.length > 0,
		made: () => files().filter(file => !before.has(file) && file !== 'started'),
	};
}

type Directory = Awaited<ReturnType<typeof openDirectory>>;

/** Parts that a call has opened, and the files that it has left beside those of the journal and of servers. */
async function partsOf({isStarted, isListening, made}: Directory) {
	const isOf = (part: RegExp) => (file: string) => part.test(file);
	const isOfJournal = isOf(/^(journal\.db|journals?\.json)/u);
	const rest = made().filter(file => !isOfJournal(file) && file !== 'garden.log');
	return {
		opened: [
			...(made().some(isOfJournal) ? ['journal'] : []),
			...(isStarted() ? ['servers'] : []),
			...(isListening() ? ['port'] : []),
		],
		rest: rest.toSorted(),
	};
}

const job = {
	name: 'report',
	prompt: 'Look',
	schedule: '0 9 * * *',
	time_zone: 'UTC',
	deliver: 'log',
	deliver_extra: {},
	skills: [],
};

/** Calls of methods without a gateway; `left`: the file that it may leave. */
const calls: ReadonlyArray<
	{
		readonly [Name in MethodName]: {readonly name: Name; readonly params: ParamsOf<Name>; readonly left?: string};
	}[MethodName]
> = [
	{name: 'events.list', params: {limit: 1}},
	{name: 'events.show', params: {id: 'none'}},
	{name: 'events.file', params: {id: 'none', number: 1, from: 0}},
	{name: 'deliveries.failed', params: {}},
	{name: 'deliveries.list', params: {limit: 1}},
	{name: 'runs.list', params: {limit: 1}},
	{name: 'runs.show', params: {id: 'none'}},
	{name: 'calls.list', params: {limit: 1}},
	{name: 'calls.show', params: {id: 'none'}},
	{name: 'calls.page', params: {since: null, before: null}},
	{name: 'uncertain.list', params: {}},
	{name: 'rules.list', params: {}},
	{name: 'rules.test', params: {server: 'garden', tool: 'append', arguments: {}}},
	{name: 'rules.add', params: {rule: {action: 'deny', tool: 'append'}, mode: 'store'}, left: 'approval-rules.json'},
	{name: 'rules.revoke', params: {id: 'none'}},
	{name: 'hold', params: {}, left: 'hold.json'},
	{name: 'hold.show', params: {}},
	{name: 'unhold', params: {hash: 'none'}},
	{name: 'cron.list', params: {}},
	{name: 'cron.create', params: job, left: 'jobs.json'},
	{name: 'cron.edit', params: {reference: 'none', edit: {}}},
	{name: 'cron.change', params: {reference: 'none', change: 'pause'}},
	{name: 'mcp.list', params: {}},
	{name: 'mcp.tools', params: {}},
	{name: 'mcp.call', params: {name: 'mcp__garden__append', arguments: {}, approve: false}},
	{name: 'mcp.logins', params: {}},
	{name: 'mcp.login.cancel', params: {server: 'garden'}},
	{name: 'mcp.login.finish', params: {server: 'garden', redirect_url: 'http://127.0.0.1/'}},
];

/** The declared parts beside the files, which every call reads, and the lock, which the test holds. */
function declaredBy(name: MethodName): readonly string[] {
	return (methods[name].opens ?? []).filter(part => part !== 'files' && part !== 'lock');
}

describe('without a gateway', () => {
	test.each(calls)(
		'$name opens the parts that it declares, and touches no other file',
		async ({name, params, left}) => {
			const directory = await openDirectory();
			const call = () => directory.own.call(name, params);
			if (methods[name].opens?.includes('lock')) {
				await expect(call()).rejects.toMatchObject({code: 'gateway_running'});
				await directory.release();
			}

			const end = await call().then(
				() => 'done',
				(caught: unknown) => toProblem(caught).code,
			);
			expect(['done', 'unknown_job']).toContain(end);
			expect(await partsOf(directory)).toEqual({opened: declaredBy(name), rest: left === undefined ? [] : [left]});
		},
	);

	test('mcp.serve starts the servers, and ends with its client', async () => {
		const directory = await openDirectory();
		const client = await directory.own.serve({signal: neverAborted()});
		const closed = once(client, 'close');
		await expect.poll(directory.isStarted).toBe(true);
		client.resume().end();
		await closed;
		expect(await partsOf(directory)).toEqual({opened: declaredBy('mcp.serve'), rest: []});
	});

	test('mcp.login listens for its redirect until it is cancelled, and mcp.logout has nothing to remove then', async () => {
		const authorization = await startAuthorizationServer();
		const {url} = await startProtectedServer({
			authorizationServers: () => [authorization.issuer],
			isValid: () => false,
		});
		const directory = await openDirectory({tracker: {url, auth: 'oauth'}});
		const {own} = directory;
		expect(await own.call('mcp.logins', {})).toEqual([{name: 'tracker', flow: 'browser', enabled: true}]);
		const person = new AbortController();
		let redirect: string | undefined;
		const onNote = (note: NoteOf<'mcp.login'>) => {
			if (note.type === 'login.state' && note.state === 'awaiting-redirect') {
				redirect = note.redirect_uri;
				person.abort();
			}
		};

		const login = {server: 'tracker', document: 'try-again'} as const;
		expect(await own.call('mcp.login', login, {signal: person.signal, onNote})).toEqual({
			outcome: 'cancelled',
			reason: 'by request',
		});
		expect(await partsOf(directory)).toEqual({opened: declaredBy('mcp.login'), rest: []});
		await expect(fetch(redirect ?? '')).rejects.toThrow('fetch failed');
		expect(await own.call('mcp.logout', {server: 'tracker'})).toEqual({revocation: {kind: 'no-tokens'}});
	});

	test('a method that needs one is refused, and opens nothing', async () => {
		const directory = await openDirectory();
		await expect(directory.own.call('status', {})).rejects.toMatchObject({code: 'gateway_not_running'});
		expect(await partsOf(directory)).toEqual({opened: [], rest: []});
	});

	test('every method that needs none is called above', () => {
		const called = [...calls.map(({name}) => name), 'mcp.serve', 'mcp.login', 'mcp.logout'];
		const opening = Object.entries(methods).flatMap(([name, {opens}]) => (opens ? name : []));
		expect(called.toSorted()).toEqual(opening.toSorted());
	});
});
