import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {hashJson} from '../../../source/util/json-hash.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {garden} from '../../stories/garden.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {connectTo} from '../../control/control-fixture.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const args = {title: 'Mow the lawn'};
const hash = hashJson(args);

/** A state directory whose journal has calls that an earlier gateway began and never ended. */
function withUncertain(...ids: readonly string[]): Promise<string> {
	return withUncertainCalls(args, ...ids);
}

async function withUncertainCalls(sent: JsonObject, ...ids: readonly string[]): Promise<string> {
	const home = temporaryDirectory();
	const limits = () => ({maxAgeDays: 30, maxBytes: 1_000_000_000});
	const journal = openJournal({path: `${home}/journal.db`, clock: systemClock, limits});
	for (const id of ids) {
		await journal.startCall({
			id,
			time: Date.now() - 1000,
			profile: 'default',
			server: 'garden',
			tool: 'add_task',
			arguments: sent,
			origin: {kind: 'command-line'},
		});
	}

	await journal.close();
	return home;
}

/** A gateway with the garden, connected. */
async function openGateway(home = temporaryDirectory(), settings: object = {}) {
	const config = {
		gateway: {endpoint: {port: 0}},
		mcp_servers: {garden},
		model: {provider: 'none'},
		approvals: settings,
	};
	const running = await runGateway(JSON.stringify(config), home);
	await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	const run = (...words: readonly string[]) => runSluice({home}, ...words);
	const json = async (...words: readonly string[]): Promise<unknown> =>
		JSON.parse((await run(...words, '--json')).stdout);
	return {...running, run, json};
}

describe('without a gateway, a database that is away is named with the reason by', () => {
	test.each(['runs list', 'calls list', 'uncertain list', 'events list', 'rules list', 'hold now', 'cron list'])(
		'%s',
		async line => {
			const home = temporaryDirectory();
			const url = 'postgres://me:hush-hush@127.0.0.1:1/sluice';
			writeFileSync(join(home, 'config.yaml'), JSON.stringify({journal: {url}}));
			const {code, stdout, stderr} = await runSluice({home}, ...line.split(' '));
			expect([code, stdout]).toEqual([1, '']);
			expect(stderr).toMatch(
				/^sluice: The database of the journal on 127\.0\.0\.1:1 cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:1\)\n +Check that /u,
			);
			expect(stderr).not.toContain('hush-hush');
		},
	);

	test('and one whose message has all of it says nothing twice', async () => {
		const home = temporaryDirectory();
		writeFileSync(join(home, 'config.yaml'), JSON.stringify({journal: {url: 'mysql://127.0.0.1/sluice'}}));
		const {stderr} = await runSluice({home}, 'runs', 'list');
		expect(stderr).toMatch(/^sluice: journal\.url is not the address of a PostgreSQL database\n/u);
	});
});

describe('runs', () => {
	test('a run is started, waits in the inbox without a model, and is answered by a person', async () => {
		const {run, json, paths} = await openGateway();
		const started = await run('runs', 'start', 'Which tasks are open?');
		const id = started.stdout.trim();
		expect(started).toMatchObject({code: 0, stdout: expect.stringMatching(/^[\da-f-]{36}\n$/u)});
		await expect.poll(async () => json('runs', 'list')).toMatchObject([{id, state: 'inbox', route: null, job: null}]);
		expect((await run('runs')).stdout).toMatch(new RegExp(`${id.slice(-8)} {2}inbox +a person`, 'u'));

		expect(await run('runs', 'answer', id.slice(-8), 'Two of them.')).toMatchObject({code: 0, stderr: 'Answered.\n'});
		expect(await json('runs', 'show', id)).toMatchObject({
			id,
			state: 'finished',
			prompt: 'Which tasks are open?',
			answer: 'Two of them.',
			calls: [],
			deliveries: [],
		});
		expect((await run('runs', 'show', id)).stdout).toMatch(
			/state: finished[^]*trace:\n *[\d:.]+ {2}run +queued\n *\+.* {2}run +finished +.*Two of them[^]*prompt:\nWhich[^]*answer:\nTwo/u,
		);
		expect(await run('runs', 'answer', id, 'again')).toMatchObject({code: 1, stdout: ''});
		expect(await run('runs', 'cancel', id)).toMatchObject({code: 1, stdout: ''});
		expect(paths.profile).toBe('default');
	});

	test('Ctrl-C ends a prompt that is typed on stdin, and no run is started', async () => {
		const {run, json} = await openGateway();
		const typed = new PassThrough();
		// Only what a command uses of its input.
		const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Object.assign(typed, {fd: 0}) as never);
		onTestFinished(() => stdin.mockRestore());
		const started = run('runs', 'start', '-');
		typed.write('Which tasks');
		await vi.waitFor(() => expect(typed.readableLength).toBe(0));
		process.emit('SIGINT', 'SIGINT');
		expect(await started).toMatchObject({code: 1, stdout: '', stderr: expect.stringContaining('SIGINT')});
		expect(await json('runs', 'list')).toEqual([]);
	});

	test('runs and calls are listed and shown without a gateway; only the others need one', async () => {
		const home = await withUncertain('019aaaaa-0000-7000-8000-0000cafe0001');
		const run = (...words: readonly string[]) => runSluice({home}, ...words);
		expect(await run('runs', 'list', '--json')).toMatchObject({code: 0, stdout: '[]\n'});
		expect(JSON.parse((await run('calls', 'list', '--json')).stdout)).toMatchObject([
			{server: 'garden', tool: 'add_task', arguments: args, outcome: null, ms: null, origin: {kind: 'command-line'}},
		]);
		expect(JSON.parse((await run('calls', 'show', 'cafe0001', '--json')).stdout)).toMatchObject({
			arguments: args,
			arguments_hash: hash,
			answer: null,
			decision: null,
		});
		expect(JSON.parse((await run('uncertain', 'list', '--json')).stdout)).toMatchObject([{arguments_hash: hash}]);
		for (const words of [
			['runs', 'start', 'x'],
			['runs', 'cancel', 'cafe0001'],
			['uncertain', 'resolve', 'cafe0001', '--happened'],
		]) {
			expect(await run(...words)).toMatchObject({code: 1, stderr: expect.stringContaining('No gateway is running')});
		}
	});

	test.each([
		['runs', 'start'],
		['runs', 'start', ' '],
		['runs', 'list', '--limit', '0'],
		['runs', 'answer', '0000'],
		['calls', 'show'],
		['uncertain', 'resolve', '0000'],
		['uncertain', 'resolve', '0000', '--happened', '--repeat'],
		['uncertain', 'resolve', '0000', '--happened', '--hash', 'x'],
	])('%s %s %s %s %s is not understood', async (...words) => {
		expect(await runSluice({home: temporaryDirectory()}, ...words.filter(Boolean))).toMatchObject({code: 2});
	});
});

describe('calls', () => {
	test('a call is shown with its arguments, its result and who allowed it', async () => {
		const {run, json} = await openGateway();
		const call = ['mcp', 'call', 'mcp__garden__add_task', '--args', JSON.stringify(args), '--approve'];
		expect(await run(...call)).toMatchObject({code: 0});
		const listed = (await json('calls', 'list')) as ReadonlyArray<{readonly id: string}>;
		expect(listed).toMatchObject([{tool: 'add_task', outcome: 'ok', ms: expect.any(Number)}]);
		const id = listed[0]?.id ?? '';
		expect(await json('calls', 'show', id.slice(-8))).toMatchObject({
			id,
			arguments: args,
			arguments_hash: hash,
			answer: expect.stringContaining('Mow the lawn'),
			decision: {outcome: 'approved', scope: 'once', by: 'cli'},
		});
		expect((await run('calls', 'show', id)).stdout).toMatch(/decision: .*approved \(once\) by cli[^]*result:\nAdded/u);
		expect(await run('calls', 'show', 'ffffffff')).toMatchObject({code: 1, stdout: ''});
	});
});

describe('uncertain calls', () => {
	test('a person says what became of them; a second answer is too late and learns by whom it was given', async () => {
		const home = await withUncertain('11110000-0000-7000-8000-000000001111', '22220000-0000-7000-8000-000000002222');
		const {run, json} = await openGateway(home);
		expect(await json('uncertain', 'list')).toHaveLength(2);
		expect(await run('uncertain', 'resolve', '1111', '--happened')).toMatchObject({code: 0});
		expect(await run('uncertain', 'resolve', '2222', '--did-not-happen')).toMatchObject({code: 0});
		expect(await json('uncertain', 'list')).toEqual([]);
		const late = {code: 1, stderr: expect.stringContaining('is no longer waiting: it was marked as done by cli')};
		expect(await run('uncertain', 'resolve', '1111', '--did-not-happen')).toMatchObject(late);
		expect(await run('uncertain', 'resolve', '1111', '--repeat')).toMatchObject(late);
		expect(await run('uncertain', 'resolve', '3333', '--happened')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('No uncertain call has the id '),
		});
		expect(await json('calls', 'show', '2222')).toMatchObject({resolution: 'not_done', resolved_by: 'cli'});
		expect((await run('calls', 'show', '1111')).stdout).toContain('resolved: marked as done by cli\n');
	});

	test('one is repeated only with the hash of what was shown', async () => {
		const home = await withUncertain('11110000-0000-7000-8000-000000001111');
		const {run, json} = await openGateway(home);
		const repeat = ['uncertain', 'resolve', '1111', '--repeat'];
		expect(await run(...repeat)).toMatchObject({code: 2, stderr: expect.stringContaining('needs --hash')});
		expect(await run(...repeat, '--hash', hashJson({}))).toMatchObject({code: 1});
		expect(await json('uncertain', 'list')).toHaveLength(1);
		expect(await run(...repeat, '--hash', hash)).toMatchObject({
			code: 0,
			stdout: 'Added #4 Mow the lawn (garden)\n',
			stderr: expect.stringMatching(/"title": "Mow the lawn"[^]*Repeated\.\n$/u),
		});
		expect(await json('uncertain', 'list')).toEqual([]);
		expect(await json('calls', 'list')).toMatchObject([{outcome: 'ok'}, {outcome: null}]);
	});

	test('one with marked characters is repeated only with the hash under the page that shows them', async () => {
		const sent = {title: 'dеlete it'};
		const {run, json, paths} = await openGateway(
			await withUncertainCalls(sent, '11110000-0000-7000-8000-000000001111'),
		);
		const repeat = ['uncertain', 'resolve', '1111', '--repeat'];
		expect(await json('uncertain', 'list')).toMatchObject([{arguments_hash: hashJson(sent), marked_characters: 1}]);
		expect(await run(...repeat, '--hash', hashJson(sent))).toMatchObject({code: 2});
		const client = await connectTo(paths.controlSocket);
		const call = {id: '1111', arguments_hash: hashJson(sent)};
		await expect(client.call('uncertain.repeat', call, {signal: neverAborted()})).rejects.toMatchObject({
			code: 'bad_usage',
			message: expect.stringContaining('marked'),
		});
		const page = await run(...repeat);
		expect(page).toMatchObject({code: 2, stderr: expect.stringContaining('d‹U+0435›lete it')});
		const under = /^1 character marked: .*\nhash: (\S+)$/mu.exec(page.stderr)?.[1] ?? page.stderr;
		expect(await json('uncertain', 'list')).toHaveLength(1);
		expect(await run(...repeat, '--hash', under)).toMatchObject({code: 0});
		expect(await json('uncertain', 'list')).toEqual([]);
	});

	test('one that somebody else repeats at that moment is left to them, by name', async () => {
		const home = await withUncertain('11110000-0000-7000-8000-000000001111');
		const {run, gateway, eventWhere} = await openGateway(home);
		gateway.send({method: 'uncertain.repeat', params: {id: '11110000-0000-7000-8000-000000001111'}});
		const asked = await eventWhere(event => event.type === 'approval.requested');
		for (const decision of [['--repeat', '--hash', hash], ['--happened']]) {
			expect(await run('uncertain', 'resolve', '1111', ...decision)).toMatchObject({
				code: 1,
				stderr: expect.stringContaining('console:1 is deciding about this call right now'),
			});
		}

		await run('approvals', 'deny', asked.type === 'approval.requested' ? asked.id : '');
		await expect.poll(async () => run('uncertain', 'resolve', '1111', '--happened')).toMatchObject({code: 0});
	});

	test('nothing is repeated where commands may not allow', async () => {
		const home = await withUncertain('11110000-0000-7000-8000-000000001111');
		const {run, json} = await openGateway(home, {cli: 'deny'});
		const repeat = ['uncertain', 'resolve', '1111', '--repeat', '--hash', hash];
		expect(await run(...repeat)).toMatchObject({code: 1, stderr: expect.stringContaining('approvals.cli: deny')});
		expect(await json('uncertain', 'list')).toHaveLength(1);
	});
});
