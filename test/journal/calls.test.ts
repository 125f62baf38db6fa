import {describe, expect, test} from 'vitest';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {journalEngines} from '../helpers/journal-engines.ts';

const start = 1_700_000_000_000;
const call = {
	id: 'call',
	time: start,
	profile: 'default',
	server: 'files',
	tool: 'write',
	arguments: {path: '/a', nested: {deep: [1, null, true]}},
	origin: {kind: 'run', runId: 'r', route: 'github', deliveryId: 'd', signature: 'X-Hub-Signature-256'},
} as const;

describe.each(journalEngines)('on $engine', ({open}) => {
	test('a started call is kept before its end is known', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.startCall(call);
		expect(await journal.listCalls({limit: 1})).toEqual([call]);
	});

	test('the first decision about an uncertain call stays, with who made it', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.startCall(call);
		const resolved = {resolution: 'not_done', by: 'console:2'} as const;
		expect(await journal.resolveCall('call', resolved)).toBe(true);
		expect(await journal.resolveCall('call', {resolution: 'done', by: 'cli'})).toBe(false);
		expect(await journal.findCall('call')).toEqual({...call, resolved});
	});

	test('calls of one profile are listed alone, newest first', async () => {
		const journal = await open({clock: createFakeClock()});
		for (const [id, profile] of Object.entries({a: 'work', b: 'default', c: 'work', d: 'work'})) {
			await journal.startCall({...call, id, profile});
		}

		const idsOf = async (query: Parameters<typeof journal.listCalls>[0]) =>
			(await journal.listCalls(query)).map(({id}) => id);
		expect(await idsOf({profile: 'work', limit: 2})).toEqual(['d', 'c']);
		expect(await idsOf({profile: 'home', limit: 2})).toEqual([]);
		expect(await idsOf({limit: 9})).toEqual(['d', 'c', 'b', 'a']);
	});

	test('a finished call says how it ended', async () => {
		const journal = await open({clock: createFakeClock()});
		await journal.startCall(call);
		const end = {outcome: 'outcome_uncertain', code: 'outcome_uncertain', ms: 5} as const;
		journal.finishCall('call', end);
		expect(await journal.listCalls({limit: 1})).toEqual([{...call, end}]);
	});

	describe('what the caller of a tool got', () => {
		const results = [
			{what: 'a text', result: {text: 'written'}},
			{what: 'structured content', result: {text: '', structuredContent: {rows: [1, 2]}}},
			{what: 'two million characters', result: {text: 'ä🙂\u0000x'.repeat(400_000)}},
		];

		test.each(results)('comes back whole: $what', async ({result}) => {
			const journal = await open({clock: createFakeClock()});
			await journal.startCall(call);
			journal.finishCall('call', {outcome: 'ok', ms: 5, result});
			expect(await journal.findCall('call')).toEqual({...call, end: {outcome: 'ok', ms: 5, result}});
			expect(await journal.listCalls({limit: 1})).toEqual([{...call, end: {outcome: 'ok', ms: 5}}]);
		});

		test('is kept of a call that was refused, too', async () => {
			const journal = await open({clock: createFakeClock()});
			const end = {outcome: 'denied', code: 'denied', ms: 1, result: {text: 'Denied by console:1'}} as const;
			journal.recordCall(call, end);
			expect(await journal.findCall('call')).toEqual({...call, end});
			expect(await journal.listUncertainCalls({profile: 'default', begunBefore: start + 1, limit: 1})).toEqual([]);
		});
	});

	test('what was decided about a call comes back, and the uses of each rule are counted', async () => {
		const journal = await open({clock: createFakeClock()});
		expect(await journal.listRuleUses()).toEqual([]);
		const judged = (id: string) => ({
			fingerprint: 'f',
			decision: 'allowed' as const,
			rule: {id, action: 'allow', source: 'stored'} as const,
			untrusted: ['path'],
		});
		await journal.startCall({...call, judged: judged('r1')});
		await journal.startCall({...call, id: 'free', judged: {fingerprint: 'f', decision: 'free'}});
		await journal.startCall({...call, id: 'later', time: start + 5, judged: judged('r1')});
		const origin = {kind: 'endpoint', client: 'codex', name: 'laptop'} as const;
		await journal.startCall({...call, id: 'of a client', origin, judged: judged('r1')});
		const of = (kind: string, name: string, uses: number) => ({asker: {kind, name}, uses});
		journal.recordCall({...call, id: 'denied', judged: judged('r2')}, {outcome: 'denied', code: 'denied', ms: 1});
		expect((await journal.findCall('call'))?.judged).toEqual(judged('r1'));
		expect(await journal.listRuleUses()).toEqual([
			{rule: 'r1', uses: 3, lastUsedAt: start + 5, askers: [of('route', 'github', 2), of('client', 'laptop', 1)]},
			{rule: 'r2', uses: 1, lastUsedAt: start, askers: [of('route', 'github', 1)]},
		]);
	});

	test('a started call that was evaluated again ends with the last evaluation', async () => {
		const journal = await open({clock: createFakeClock()});
		const judged = (id: string) =>
			({fingerprint: 'f', decision: 'allowed', rule: {id, action: 'allow', source: 'config'}}) as const;
		await journal.startCall({...call, judged: judged('r1')});
		const end = {outcome: 'ok', ms: 1} as const;
		journal.recordCall({...call, judged: judged('r2')}, end);
		expect(await journal.listCalls({limit: 2})).toEqual([{...call, judged: judged('r2'), end}]);
		expect(await journal.listRuleUses()).toMatchObject([{rule: 'r2', uses: 1, lastUsedAt: start}]);
	});

	test('the calls of a run are found by it, oldest first', async () => {
		const journal = await open({clock: createFakeClock()});
		const second = {...call, id: 'second'};
		await journal.startCall(call);
		await journal.startCall({...call, id: 'by hand', origin: {kind: 'dashboard', by: 'console:2'}});
		await journal.startCall({...call, id: 'of another run', origin: {...call.origin, runId: 'other'}});
		await journal.startCall(second);
		expect(await journal.listRunCalls('r', 10)).toEqual([call, second]);
		expect(await journal.listRunCalls('r', 1)).toEqual([call]);
		expect(await journal.findCall('by hand')).toMatchObject({origin: {kind: 'dashboard', by: 'console:2'}});
	});

	test('a decision is found by its request, its call and its run', async () => {
		const journal = await open({clock: createFakeClock()});
		const {origin} = call;
		const about = {time: start, profile: 'default', server: 'files', tool: 'write', argumentsHash: 'abc'};
		const decision = {
			...about,
			id: 'request',
			callId: 'call',
			requestedAt: start - 9,
			outcome: 'approved',
			origin,
		} as const;
		const sampling = {...about, id: 'sampling', outcome: 'denied', origin, arguments: {messages: ['hi']}} as const;
		journal.recordDecision(decision);
		journal.recordDecision(sampling);
		expect([await journal.findDecision('request'), await journal.findCallDecision('call')]).toEqual([
			decision,
			decision,
		]);
		expect([await journal.findDecision('call'), await journal.findCallDecision('request')]).toEqual([
			undefined,
			undefined,
		]);
		expect(await journal.listRunDecisions('r', 10)).toEqual([decision, sampling]);
	});

	test('a decision is kept as it was made', async () => {
		const journal = await open({clock: createFakeClock()});
		const decision = {
			id: 'approval',
			time: start,
			profile: 'default',
			server: 'files',
			tool: 'write',
			argumentsHash: 'abc',
			outcome: 'denied',
			by: 'console:1',
			message: 'not now',
		} as const;
		journal.recordDecision(decision);
		expect(await journal.listDecisions({limit: 1})).toEqual([decision]);
	});

	describe('pages of calls', () => {
		async function openPages(count: number, members: (index: number) => object) {
			const journal = await open({clock: createFakeClock()});
			await Promise.all(
				Array.from({length: count}, (_, index) => journal.startCall({...call, id: `c${index}`, ...members(index)})),
			);
			return async (query: {readonly profile: string; readonly since?: number}) => {
				const pages: string[][] = [];
				let next: number | undefined;
				do {
					const page = await journal.listCallPage({...query, ...(next !== undefined && {before: next})});
					pages.push(page.calls.map(({id}) => id));
					({next} = page);
				} while (next !== undefined);
				return pages;
			};
		}

		test('have every call of a profile once, newest first', async () => {
			const pagesOf = await openPages(600, index => ({profile: index % 3 === 0 ? 'work' : 'default'}));
			const pages = await pagesOf({profile: 'work'});
			expect(pages.length).toBeGreaterThan(2);
			expect(pages.flat()).toEqual(Array.from({length: 200}, (_, index) => `c${(199 - index) * 3}`));
			expect((await pagesOf({profile: 'home'})).flat()).toEqual([]);
		});

		test('end where calls are too old, without a look at all of them', async () => {
			const pagesOf = await openPages(1500, index => ({time: start + index}));
			const pages = await pagesOf({profile: 'default', since: start + 1400});
			expect(pages.map(page => page.length)).toEqual([100, 0]);
		});

		test('are short where arguments are large, and nothing of the page stays open', async () => {
			const pagesOf = await openPages(5, () => ({arguments: {text: 'x'.repeat(300_000)}}));
			expect((await pagesOf({profile: 'default'})).map(page => page.length)).toEqual([2, 2, 1]);
		});
	});
});
