import {describe, expect, test} from 'vitest';
import {olderEvents, olderRowLimit} from '../../../source/gateway/pages/older-events.ts';
import {type Journal} from '../../../source/journal/journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {filledFrom, filledNames, fillJournal} from '../../helpers/filled-journal.ts';
import {journalEngines} from '../../helpers/journal-engines.ts';
import {sampleDecision, sampleEvent} from '../../helpers/journal-records.ts';

/** All pages, the newest first. */
async function allPages(journal: Journal, profiles: readonly string[]) {
	const pages = [];
	let before: number | null = null;
	do {
		const page = await olderEvents(before, {journal, profiles, first: 'default', now: filledFrom + 1_000_000});
		pages.push(page);
		before = page.next;
	} while (before !== null && pages.length < 100);
	return pages;
}

describe.each(journalEngines)('older events of a journal in $engine', ({open}) => {
	test('are its requests, calls with an end, decisions and deliveries, as the list of a gateway has them', async () => {
		const journal = await open({clock: createFakeClock(filledFrom)});
		await fillJournal(journal);
		const [page, ...others] = await allPages(journal, ['default', 'pulls', 'Pulls', 'a', 'A']);
		expect(others).toEqual([]);
		const of = (type: string) => page?.events.filter(event => event.type === type) ?? [];
		// Two requests of each name, three of five calls, two decisions, and a message that was sent or failed.
		expect(
			['webhook.settled', 'tool.finished', 'approval.settled', 'delivery.settled'].map(type => of(type).length),
		).toEqual([2, 3, 2, 1].map(count => count * filledNames.length));
		expect(of('tool.finished').find(event => 'callId' in event && event.callId === 'call b 0')).toMatchObject({
			outcome: 'ok',
			tool: 't',
			time: filledFrom + 1.25,
		});
		expect(of('delivery.settled').map(event => 'outcome' in event && event.outcome)).toEqual(
			expect.arrayContaining(['delivered', 'failed']),
		);
		expect(page?.events.map(({time}) => time)).toEqual(page?.events.map(({time}) => time).toSorted((a, b) => a - b));
	});

	test('are those of the profiles that the caller sees', async () => {
		const journal = await open({clock: createFakeClock(filledFrom)});
		await fillJournal(journal);
		const [page] = await allPages(journal, ['pulls']);
		expect(new Set(page?.events.map(({profile}) => profile))).toEqual(new Set(['pulls']));
	});

	test.each([
		['a millisecond after the other', (index: number) => filledFrom + index],
		['many in the same millisecond', (index: number) => filledFrom + Math.floor(index / 70)],
	])('come page by page, each once: %s', async (_, timeOf) => {
		const journal = await open({clock: createFakeClock(filledFrom)});
		const count = olderRowLimit * 2 + 50;
		for (let index = 0; index < count; index++) {
			journal.recordEvent(sampleEvent({id: `e${index}`, time: timeOf(index), outcome: 'rejected', body: undefined}));
			if (index % 3 === 0) {
				journal.recordDecision(sampleDecision({id: `d${index}`, time: timeOf(index)}));
			}
		}

		await journal.listEvents({limit: 1});
		const pages = await allPages(journal, ['default']);
		expect(pages.length).toBeGreaterThan(2);
		const names = pages.flatMap(({events}) =>
			events.map(event => ('eventId' in event ? event.eventId : 'id' in event ? event.id : '')),
		);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(names)).toEqual(
			new Set(
				Array.from({length: count}, (_row, index) =>
					index % 3 === 0 ? [`e${index}`, `d${index}`] : [`e${index}`],
				).flat(),
			),
		);
		const oldest = pages.map(({events}) => events[0]?.time ?? 0);
		expect(oldest).toEqual(oldest.toSorted((first, second) => second - first));
	});
});
