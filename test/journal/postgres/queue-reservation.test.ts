import {describe, expect, test} from 'vitest';
import {type AcceptRequest} from '../../../source/journal/rows/accept-rows.ts';
import {type Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {type Node, openNode} from '../../helpers/journal-nodes.ts';
import {sampleEvent, sampleRun, takeRun} from '../../helpers/journal-records.ts';
import {losingAnswerTo} from '../../helpers/lost-answers.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';

/** Another event that leads to a run. */
function request(queueLimit: number, changes: Partial<AcceptRequest> = {}): AcceptRequest {
	const event = sampleEvent();
	return {event, run: sampleRun({eventId: event.id}), queueLimit, ...changes};
}

/** So many of them at once; resolves with the number of those that were accepted. */
async function burst({journal}: Node, count: number, queueLimit: number): Promise<number> {
	const outcomes = await Promise.all(Array.from({length: count}, () => journal.acceptEvent(request(queueLimit))));
	return outcomes.filter(outcome => outcome === 'accepted').length;
}

/** So many, one after the other. */
async function series(node: Node, count: number, queueLimit: number): Promise<number> {
	let accepted = 0;
	for (let sent = 0; sent < count; sent++) {
		accepted += await burst(node, 1, queueLimit);
	}

	return accepted;
}

const names = ['a', 'b', 'c'] as const;

async function openGateways(lease?: number) {
	const place = await newPostgresPlace();
	const [first, second, third] = names;
	return Promise.all([openNode(place, first, lease), openNode(place, second, lease), openNode(place, third, lease)]);
}

/** Gateways whose time goes on only when the test says so. */
async function openFrozenGateways(lease?: number) {
	const place = await newPostgresPlace();
	const open = async (name: string) => {
		const clock = createFakeClock(Date.now());
		return {...(await openNode(place, name, lease, clock)), advance: clock.advance};
	};

	const [a, b, c] = [await open('a'), await open('b'), await open('c')];
	const {url, schema} = place.database;
	const sql = (text: string) => administer(url, `SET search_path = ${schema}`, text);
	const reserved = async () =>
		(await sql('SELECT coalesce(sum(places), 0)::int AS places FROM queue_reservations'))[0]?.['places'];
	return {place, a, b, c, sql, reserved};
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe.runIf(hasPostgres)('the limit of queued runs at three gateways', () => {
	test.each(
		[1, 10, 100].flatMap(limit => [
			{limit, how: 'at once', send: burst},
			{limit, how: 'one after the other at each', send: series},
		]),
	)('is $limit for all together that come $how, and is reached', async ({limit, send}) => {
		const nodes = await openGateways();
		let accepted = sum(await Promise.all(nodes.map(node => send(node, limit + 5, limit))));
		expect(accepted).toBeLessThanOrEqual(limit);
		expect(await nodes[0].journal.countWaitingRuns()).toBe(accepted);
		// An unused reservation comes back within a second, and a node reads the rows again a second after it refused.
		const acceptMore = async () => {
			accepted += accepted < limit ? sum(await Promise.all(nodes.map(node => send(node, limit, limit)))) : 0;
			return accepted;
		};
		await expect.poll(acceptMore, {interval: 100, timeout: 10_000}).toBe(limit);
		expect(await nodes[0].journal.countWaitingRuns()).toBe(limit);
	});

	test('holds at any moment while all of them accept, take runs, and open and close windows', async () => {
		const nodes = await openGateways();
		const limit = 10;
		const started = performance.now();
		const isOver = () => performance.now() - started > 1500;
		const outcomes = new Set<string>();
		const work = async ({journal}: Node, key: string) => {
			while (!isOver()) {
				const requests = Array.from({length: 3}, () => request(limit));
				const coalesced = [request(limit, {windowKey: key}), request(limit, {windowKey: 'shared'})];
				for (const outcome of await Promise.all([...requests, ...coalesced].map(one => journal.acceptEvent(one)))) {
					outcomes.add(outcome);
				}

				await takeRun(journal);
				await Promise.all([key, 'shared'].map(name => journal.takeWindow({route: 'github', key: name})));
				await takeRun(journal);
			}
		};

		let most = 0;
		const watch = async () => {
			while (!isOver()) {
				most = Math.max(most, await nodes[2].journal.countWaitingRuns());
			}
		};

		await Promise.all([...nodes.map((node, index) => work(node, names[index] ?? '')), watch()]);
		expect([most, outcomes]).toEqual([limit, new Set(['accepted', 'queue-full'])]);
	});

	test('leaves to the others what one has reserved and not used, half a second later', async () => {
		const {a, b, reserved} = await openFrozenGateways();
		expect([await burst(a, 1, 100), await reserved()]).toEqual([1, 9]);
		expect(await burst(b, 99, 100)).toBe(90);
		await a.advance(499);
		expect(await reserved()).toBe(9);
		await a.advance(1);
		await expect.poll(reserved).toBe(0);
		// A node that has refused reads the rows again a second later.
		await b.advance(999);
		expect(await burst(b, 9, 100)).toBe(0);
		await b.advance(1);
		expect([await burst(b, 10, 100), await burst(a, 1, 100)]).toEqual([9, 0]);
	});

	test('leaves to the others what a killed gateway had reserved, and to itself what is free if it comes back', async () => {
		const {a, b, c, reserved} = await openFrozenGateways(50);
		expect([await burst(a, 1, 100), await burst(b, 99, 100), await reserved()]).toEqual([1, 90, 9]);
		await expect.poll(() => c.journal.expireNodes(), {interval: 10}).toContain('a');
		expect([await burst(c, 9, 100), await reserved()]).toEqual([9, 0]);
		expect(await burst(a, 1, 100)).toBe(0);
		await a.enterAgain();
		expect(await burst(a, 1, 100)).toBe(0);
		await takeRun(c.journal);
		await a.advance(1000);
		expect([await burst(a, 2, 100), await c.journal.countWaitingRuns()]).toEqual([1, 100]);
	});

	test('has places at once for what leaves the queue, at the gateway that takes it and at those that have not refused within a second', async () => {
		const {a, b, c} = await openFrozenGateways();
		expect([await burst(a, 2, 1), await burst(b, 1, 1)]).toEqual([1, 0]);
		await takeRun(a.journal);
		expect([await burst(b, 1, 1), await burst(c, 1, 1)]).toEqual([0, 1]);
		await takeRun(c.journal);
		expect([await burst(c, 2, 1), await burst(a, 1, 1)]).toEqual([1, 0]);
		await takeRun(c.journal);
		await b.advance(1000);
		expect(await burst(b, 2, 1)).toBe(1);
	});

	test('is that of each of them where they differ, and holds from when it was lowered', async () => {
		const {a, b} = await openFrozenGateways();
		expect([await burst(a, 7, 20), await burst(b, 1, 7), await burst(b, 3, 9)]).toEqual([7, 0, 2]);
		expect([await burst(a, 3, 10), await burst(a, 5, 20), await burst(b, 1, 10)]).toEqual([1, 5, 0]);
	});

	test('counts scheduled jobs, which are queued beyond it', async () => {
		const {a} = await openFrozenGateways();
		expect(await burst(a, 1, 20)).toBe(1);
		for (let slot = 1; slot < 20; slot++) {
			const run = sampleRun({eventId: '', job: `job ${slot}`});
			await a.journal.claimJob({jobId: `job ${slot}`, slot, runId: run.id}, run);
		}

		expect([await a.journal.countWaitingRuns(), await burst(a, 1, 20)]).toEqual([20, 0]);
	});

	test.each([
		{what: 'an accept', words: 'INSERT INTO events'},
		{what: 'a reservation', words: 'INSERT INTO queue_reservations'},
	])('loses nothing of it when the commit of $what is not answered', async ({words}) => {
		const place = await newPostgresPlace();
		const node = await openNode(await losingAnswerTo(place, words), 'a');
		const other = await openNode(place, 'b');
		const lost = node.journal.acceptEvent(request(3)).then(
			() => 'answered',
			({code}: Problem) => code,
		);
		expect(await lost).toBe('storage_unavailable');
		node.tryAgain();
		await expect.poll(node.isOpen).toBe(true);
		// The event is withdrawn, as its sender was refused.
		expect(await burst(node, 1, 3)).toBe(1);
		await expect.poll(() => burst(other, 1, 3), {timeout: 3000}).toBe(0);
		const countAfterBurst = async () => {
			await burst(other, 3, 3);
			return other.journal.countWaitingRuns();
		};
		await expect.poll(countAfterBurst, {interval: 100, timeout: 10_000}).toBe(3);
		expect(await countAfterBurst()).toBe(3);
	});
});
