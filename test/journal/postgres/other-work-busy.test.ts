import {Client} from 'pg';
import {describe, expect, test} from 'vitest';
import {createOtherWork} from '../../../source/journal/postgres/other-work.ts';
import {type OtherWorkQuery} from '../../../source/journal/operations/operation-values.ts';
import {createUnreadableRows} from '../../../source/journal/rows/read-rows.ts';
import {sampleMessage, sampleCall, sampleEvent} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {hasPostgres} from '../../helpers/postgres-server.ts';
import {nothingKnown, openAs, openTwo} from './shared-journal-fixture.ts';

describe.skipIf(!hasPostgres)('the work of other gateways that do much', () => {
	test('has the end of what was open and the calls that began since, however much else came meanwhile', async () => {
		const {place, here, there} = await openTwo();
		const gone = await openAs(place, 'gone');
		const ok = {outcome: 'ok', ms: 5, result: {text: 'grown'}} as const;
		await there.startCall(sampleCall({id: 'long'}));
		const direct = sampleEvent({id: 'direct'});
		const message = sampleMessage('message', {eventId: direct.id, runId: undefined});
		await there.acceptEvent({event: direct, messages: [message]});
		const {last: after} = await here.listOtherWork(nothingKnown);
		await there.startCall(sampleCall({id: 'begun'}));
		await Promise.all(Array.from({length: 300}, () => gone.startCall(sampleCall())));
		await gone.close();
		Array.from({length: 300}, () => there.recordCall(sampleCall(), ok));
		await Promise.all(Array.from({length: 300}, () => there.acceptEvent({event: sampleEvent()})));
		there.finishCall('long', ok);
		await there.endDelivery({...direct, outcome: 'delivered'}, [{id: message.id, state: 'sent'}]);
		await expect.poll(async () => (await here.listCalls({limit: 700})).filter(({end}) => end).length).toBe(301);
		const look = async (query: Partial<OtherWorkQuery>) => {
			const {calls, events} = await here.listOtherWork({
				...nothingKnown,
				openCalls: ['long'],
				openEvents: ['direct'],
				...query,
			});
			return [...calls, ...events].flatMap(({id, isOpen}) =>
				['long', 'begun', 'direct'].includes(id) ? [[id, isOpen]] : [],
			);
		};
		const found = [
			['long', false],
			['begun', true],
			['direct', false],
		];
		expect(await look({after})).toEqual(found);
		expect(await look({after, underWay: 'all'})).toEqual(found);
	});

	test('is found by a look among many rows that are over without reading those', async () => {
		const {place} = await openTwo();
		const client = new Client({connectionString: place.database.url});
		await client.connect();
		onTestFinished(() => client.end());
		await client.query(`SET search_path = ${place.database.schema}`);
		await client.query(`
			INSERT INTO events (id, time, profile, route, event, delivery_id, headers, status, outcome, ms, owner)
				SELECT number, 1, 'default', 'r', 'e', 'd', '[]', 202, 'accepted', 1, incarnation
				FROM nodes, generate_series(1, 20000) AS number WHERE name = 'here';
			INSERT INTO calls (id, time, profile, server, read_only, record, outcome, ms, owner)
				SELECT number, 1, 'default', 's', 0, '{}', 'ok', 1, incarnation
				FROM nodes, generate_series(1, 20000) AS number WHERE name = 'here';
			ANALYZE events, calls, nodes
		`);
		const {rows} = await client.query<{incarnation: string}>("SELECT incarnation FROM nodes WHERE name = 'here'");
		const read: number[] = [];
		const look = createOtherWork(
			async (text, values) => {
				const plan = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...(values ?? [])]);
				const rowsRead = [...JSON.stringify(plan.rows).matchAll(/"(?:Actual Rows|Rows Removed by Filter)":(\d+)/gu)];
				read.push(Math.max(...rowsRead.map(([, count]) => Number(count))));
				return [];
			},
			{instanceId: rows[0]?.incarnation ?? '', clockAhead: 0},
			createUnreadableRows(),
		);
		await look({...nothingKnown, after: {event: 20_000, run: 0, call: 20_000}});
		await look(nothingKnown);
		expect(read).toHaveLength(10);
		expect(Math.max(...read)).toBeLessThan(1000);
	});
});
