import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createTakeRuns} from '../../source/runs/take-runs.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal, sampleRun} from '../helpers/journal-records.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from './fake-agent.ts';

/** A queue with so many runs of each route, of which a gateway takes; those that it began end when the test says so. */
async function openTurns(counts: Readonly<Record<string, number>>, maxRuns: Readonly<Record<string, number>> = {}) {
	const journal = openTestJournal({clock: createFakeClock()});
	for (const [route, count] of Object.entries(counts)) {
		for (let index = 0; index < count; index++) {
			await journal.queueRun(sampleRun({id: `${route}${index}`, eventId: '', route}));
		}
	}

	const {publish} = recordEvents();
	const takeRuns = createTakeRuns({
		journal,
		profileOf: () => ({agent: fakeAgent(async () => 'yes'), publish}),
		deliveryReady: async () => undefined,
		parkable: {scan: async () => []},
		mayHaveModelElsewhere: () => false,
		isHeld: () => false,
		maxRuns: () => new Map(Object.entries(maxRuns)),
	});
	return {
		take: async (places: number) =>
			(await takeRuns(places, {signal: neverAborted()})).map(({run: {id, route}}) => ({id, route})),
		end: (id: string) => journal.finishRun(id, {state: 'finished', result: {}}),
	};
}

test('one run at a time goes round the routes, however many one of them has', async () => {
	const {take, end} = await openTurns({flood: 60, few: 2, one: 1});
	const order: string[] = [];
	for (let turn = 0; turn < 8; turn++) {
		const [taken] = await take(1);
		order.push(taken?.id ?? '');
		await end(taken?.id ?? '');
	}

	expect(order).toEqual(['flood0', 'few0', 'one0', 'flood1', 'few1', 'flood2', 'flood3', 'flood4']);
});

test('a route has no more runs at once than it may, and the others get the places', async () => {
	const {take, end} = await openTurns({slow: 5, quick: 5}, {slow: 1});
	expect((await take(4)).map(({id}) => id)).toEqual(['slow0', 'quick0', 'quick1', 'quick2']);
	await end('quick0');
	expect((await take(1)).map(({id}) => id)).toEqual(['quick3']);
	await end('slow0');
	expect((await take(2)).map(({id}) => id)).toEqual(['slow1', 'quick4']);
	expect(await take(1)).toEqual([]);
});

test('no route waits while another one gets more than one run ahead of it, and each keeps its order', async () => {
	const routes = fc.record({a: fc.nat(30), b: fc.nat(8), c: fc.nat(3)});
	await fc.assert(
		fc.asyncProperty(
			routes,
			fc.integer({min: 1, max: 4}),
			fc.infiniteStream(fc.nat(9)),
			async (counts, places, picks) => {
				const {take, end} = await openTurns(counts);
				const left = new Map<string, number>(Object.entries(counts));
				const next = new Map<string, number>();
				const running: Array<{readonly id: string; readonly route: string}> = [];
				const runningOf = (route: string) => running.filter(run => run.route === route).length;
				let taken = 0;
				for (;;) {
					for (const run of await take(places - running.length)) {
						for (const [route, count] of left) {
							expect(count === 0 || runningOf(route) >= runningOf(run.route)).toBe(true);
						}

						expect(run.id).toBe(`${run.route}${next.get(run.route) ?? 0}`);
						next.set(run.route, (next.get(run.route) ?? 0) + 1);
						left.set(run.route, (left.get(run.route) ?? 0) - 1);
						running.push(run);
						taken++;
					}

					if (running.length === 0) {
						break;
					}

					const [done] = running.splice((picks.next().value ?? 0) % running.length, 1);
					await end(done?.id ?? '');
				}

				expect(taken).toBe(counts.a + counts.b + counts.c);
			},
		),
		{numRuns: 20},
	);
});
