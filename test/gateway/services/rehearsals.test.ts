import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type RecordedCall} from '../../../source/approvals/rehearsal.ts';
import {type Rule} from '../../../source/approvals/rule.ts';
import {openRehearsals, type RehearsalQuery} from '../../../source/gateway/services/rehearsals.ts';
import {loadOpenProfile} from '../../../source/gateway/documents/open-profile.ts';
import {type CallRecord, type Journal} from '../../../source/journal/journal.ts';
import {type Clock, systemClock} from '../../../source/util/clock.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createTestRuntime, openTools} from '../../helpers/gateway-parts.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const noEtc = {action: 'deny', server: '*', tool: 'read_*', arguments: {path: {prefix: '/etc'}}};
const belowApp: Rule = {
	id: 'tried',
	source: 'stored',
	action: 'allow',
	server: 'files',
	tool: 'write_file',
	arguments: {path: {prefix: '/srv/app'}},
	ignore: [],
};

function record(id: string, members: Partial<CallRecord> = {}): CallRecord {
	return {
		id,
		time: 1000,
		profile: 'default',
		server: 'files',
		tool: 'write_file',
		arguments: {path: '/srv/app/a.txt'},
		origin: {kind: 'command-line'},
		judged: {fingerprint: 'f', decision: 'asked'},
		...members,
	};
}

/** A state directory with these rules and a server that asks about everything. */
function openHome(rules: readonly object[] = []): string {
	const home = temporaryDirectory();
	const servers = {files: {command: 'true', trust: 'untrusted', enabled: false}};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: servers, approvals: {rules}}));
	return home;
}

/** The rehearsals of a profile with these calls; the oldest first. */
async function openRecorded(calls: readonly CallRecord[], rules: readonly object[] = [], home = openHome(rules)) {
	const {service, journal, context, close} = await openTools(createTestRuntime(home));
	onTestFinished(close);
	await Promise.all(calls.map(call => journal.startCall(call)));
	const rehearse = (query: Partial<RehearsalQuery> = {}, signal = neverAborted()) =>
		service.rehearse({rules: {kind: 'present'}, maxChanged: 10, ...query}, {signal});
	return {rehearse, service, journal, context, close};
}

/** Rehearsals of a profile whose journal answers with these pages. */
async function openPaged(listCallPage: Journal['listCallPage'], clock: Clock = systemClock) {
	const context = await loadOpenProfile(createTestRuntime(openHome([noEtc]), {clock}));
	const rehearsals = openRehearsals({context, journal: {listCallPage}, catalogue: {list: () => []}});
	onTestFinished(rehearsals.close);
	return {
		...rehearsals,
		start: (signal = neverAborted(), onProgress?: (calls: number) => void, query: Partial<RehearsalQuery> = {}) =>
			rehearsals.rehearse(
				{rules: {kind: 'present'}, maxChanged: 10, ...query},
				{signal, ...(onProgress && {onProgress})},
			),
	};
}

/** Calls without an end. */
const endless: Journal['listCallPage'] = async ({before = 1_000_000}) => ({
	calls: Array.from({length: 250}, (_, index) => record(`${before - index}`)),
	next: before - 250,
});

test('present rules are compared with what was decided about each call then', async () => {
	const secret = record('secret', {tool: 'read_file', arguments: {path: '/etc/shadow'}, time: 900});
	const refused = record('refused', {judged: undefined});
	const {rehearse} = await openRecorded(
		[secret, refused, record('asked'), record('other', {profile: 'work'})],
		[noEtc],
	);
	expect(await rehearse()).toEqual({
		calls: 3,
		verdicts: {allow: 0, ask: 2, deny: 1},
		before: {allow: 0, ask: 2, deny: 0},
		changes: 1,
		changed: [
			{
				id: 'secret',
				time: 900,
				server: 'files',
				tool: 'read_file',
				before: 'ask',
				after: 'deny',
				rule: expect.stringMatching(/^rule-/u),
			},
		],
		since: 900,
		reach: 'all-calls',
	});
});

test('one more rule says how many calls of a tool it would let through, and names the newest', async () => {
	const calls = Array.from({length: 5}, (_, index) => record(`call-${index}`));
	const beside = record('beside', {arguments: {path: '/srv/apple'}});
	const {rehearse} = await openRecorded([...calls, beside, record('elsewhere', {tool: 'remove_file'})]);
	const only = {server: 'files', tool: 'write_file'};
	expect(await rehearse({rules: {kind: 'with', rules: [belowApp]}, only, maxChanged: 2})).toMatchObject({
		calls: 6,
		verdicts: {allow: 5, ask: 1},
		before: {allow: 0, ask: 6},
		changes: 5,
		changed: [
			{id: 'call-4', rule: 'tried'},
			{id: 'call-3', rule: 'tried'},
		],
	});
});

test('without a rule, or without a stored approval, its calls go another way', async () => {
	const secret = record('secret', {tool: 'read_file', arguments: {path: '/etc/shadow'}});
	const home = openHome([noEtc]);
	const approval = {
		server: 'files',
		tool: 'write_file',
		fingerprint: 'f',
		definition: {},
		state: 'valid',
		rememberedAt: 2,
	};
	writeFileSync(join(home, 'approval-rules.json'), JSON.stringify({rules: [{id: 'kept', ...approval}]}));
	const {rehearse, context} = await openRecorded([secret, record('written')], [], home);
	const {rules} = context.current().config;
	const [denying] = rules.kind === 'valid' ? rules.rules : [];
	const without = (id: string) => rehearse({rules: {kind: 'without', id}});
	expect((await without(denying?.id ?? '')).changed).toMatchObject([{id: 'secret', before: 'deny', after: 'ask'}]);
	expect((await without('kept')).changed).toMatchObject([{id: 'written', before: 'allow', after: 'ask'}]);
	await expect(without('nobody')).rejects.toMatchObject({code: 'bad_usage'});
});

test('a journal without calls has nothing to try rules on', async () => {
	const {rehearse} = await openRecorded([]);
	expect(await rehearse()).toEqual({
		calls: 0,
		verdicts: {allow: 0, ask: 0, deny: 0},
		before: {allow: 0, ask: 0, deny: 0},
		changes: 0,
		changed: [],
		reach: 'all-calls',
	});
});

test('rules that cannot be read are an error, and so is a file of approvals that cannot', async () => {
	const {rehearse} = await openRecorded([], [{action: 'deny', tol: 'x'}]);
	await expect(rehearse()).rejects.toMatchObject({code: 'rules_invalid'});
	const home = openHome();
	const broken = await openRecorded([], [], home);
	writeFileSync(join(home, 'approval-rules.json'), '{');
	const named = {message: expect.stringContaining('approval-rules.json')};
	await expect(broken.rehearse()).rejects.toMatchObject(named);
});

test('a server answers while rules are rehearsed, and an abort ends that at once', async () => {
	const server = createServer((_, response) => response.end('ok'));
	const url = await listen(server);
	const {start} = await openPaged(endless);
	const controller = new AbortController();
	const progress: number[] = [];
	const running = start(controller.signal, calls => progress.push(calls));
	const ended = running.then(
		() => 'done',
		(reason: unknown) => reason,
	);
	await expect.poll(() => progress.length).toBeGreaterThan(0);
	for (let answers = 0; answers < 20; answers++) {
		expect(await (await fetch(url)).text()).toBe('ok');
	}

	expect(await Promise.race([ended, Promise.resolve('still running')])).toBe('still running');
	controller.abort(new Error('enough'));
	expect(await ended).toMatchObject({message: 'enough'});
	const read = progress.length;
	const next = await (await openPaged(async () => ({calls: [record('a')]}))).start();
	expect([next.calls, progress.length]).toEqual([1, read]);
});

test('one rehearsal runs at a time, a bounded number waits, and one that leaves the queue never begins', async () => {
	const first = await openPaged(endless);
	const others = await openPaged(async () => ({calls: [record('a')]}));
	const running = new AbortController();
	const begun = Promise.withResolvers<number>();
	const aborted = first.start(running.signal, begun.resolve).catch(() => 'aborted');
	await begun.promise;
	const leaving = new AbortController();
	const progress: number[] = [];
	const left = others.start(leaving.signal, calls => progress.push(calls)).catch(() => 'left');
	const waiting = Array.from({length: 7}, () => others.start(neverAborted()));
	await expect(others.start()).rejects.toMatchObject({code: 'cancelled'});
	leaving.abort();
	expect(await left).toBe('left');
	running.abort();
	expect(await aborted).toBe('aborted');
	expect((await Promise.all(waiting)).map(({calls}) => calls)).toEqual(waiting.map(() => 1));
	expect(progress).toEqual([]);
});

test('no more than the newest 100,000 calls are read', async () => {
	const calls = Array.from({length: 40_000}, (_, index) => record(`${index}`));
	const {start} = await openPaged(async ({before = 10}) => ({calls, next: before - 1}));
	const progress: number[] = [];
	const only = {server: 'files', tool: 'nothing'};
	expect(await start(neverAborted(), read => progress.push(read), {only})).toMatchObject({
		calls: 0,
		reach: 'newest-calls',
	});
	expect(progress).toEqual([40_000, 80_000, 120_000]);
});

test('after half a minute the figures are those so far', async () => {
	const clock = createFakeClock();
	const {start} = await openPaged(async query => {
		await clock.advance(16_000);
		return endless(query);
	}, clock);
	expect(await start()).toMatchObject({calls: 500, reach: 'newest-calls'});
});

test('a disk that does not answer for a minute is given up', async () => {
	const clock = createFakeClock();
	const asked = Promise.withResolvers<undefined>();
	const {start} = await openPaged(() => {
		asked.resolve(undefined);
		return new Promise(() => undefined);
	}, clock);
	const gone = expect(start()).rejects.toMatchObject({message: 'The rehearsal took too long'});
	await asked.promise;
	await Promise.all([clock.advance(60_000), gone]);
});

test('a journal that is closed meanwhile is an error, never figures of a part', async () => {
	const calls = Array.from({length: 600}, (_, index) => record(`call-${index}`));
	const {service, journal} = await openRecorded(calls);
	const onProgress = () => void journal.close();
	await expect(
		service.rehearse({rules: {kind: 'present'}, maxChanged: 10}, {signal: neverAborted(), onProgress}),
	).rejects.toMatchObject({code: 'storage_unavailable'});
});

test('a gateway that stops ends the rehearsals that run and that wait', async () => {
	const {start, close} = await openPaged(endless);
	const rehearsals = [start(), start()];
	close();
	const ends = await Promise.allSettled([...rehearsals, start()]);
	const stopping = {status: 'rejected', reason: {code: 'cancelled', message: 'The gateway is stopping'}};
	expect(ends).toMatchObject([stopping, stopping, stopping]);
});

test('a thread that fails is an error of its rehearsal alone', async () => {
	// No such record exists: it makes the thread fail.
	const broken = {...record('a'), origin: undefined} as unknown as RecordedCall & CallRecord;
	const {start} = await openPaged(async () => ({calls: [broken]}));
	await expect(start()).rejects.toMatchObject({code: 'internal'});
	expect(await (await openPaged(async () => ({calls: [record('a')]}))).start()).toMatchObject({calls: 1});
});
