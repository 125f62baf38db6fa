import {describe, expect, test} from 'vitest';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {configOf, openGarden, openTaskGateway} from './task-gateways.ts';

/** Two gateways on one database, and the server of both. */
async function openTwo() {
	const {database} = await newPostgresPlace();
	const garden = await openGarden();
	const open = (node: string) => {
		const journal = {url: database.url, schema: database.schema, node, pool: 2, lease: 3};
		return openTaskGateway(configOf(garden, {config: {approvals: {unattended: 'hold'}, journal}}));
	};
	const [one, two] = [await open('web-1'), await open('web-2')];
	const sql = (text: string) => administer(database.url, `SET search_path = ${database.schema}`, text);
	return {one, two, garden, sql};
}

type Two = Awaited<ReturnType<typeof openTwo>>;

const statusAt = async ({laptop}: Two['one'], id: string) => (await laptop.get(id)).result?.['status'];

describe.skipIf(!hasPostgres)('two gateways on one database', () => {
	test('the second takes a task over when the first stops, with the request that waits, and calls once', async () => {
		const {one, two, garden} = await openTwo();
		const id = await one.callAsTask();
		const [before] = await one.waiting();
		expect(await statusAt(two, id)).toBe('working');
		await one.gateway.stop('test');
		await expect.poll(two.waiting, {timeout: 10_000}).toMatchObject([{id: before?.id, node: 'web-2'}]);
		await two.allow();
		await expect.poll(() => statusAt(two, id), {timeout: 5000}).toBe('completed');
		expect(garden.calls).toBe(1);
	});

	test('an answer that was given while no gateway had the task counts for the one that takes it', async () => {
		const {one, two, garden} = await openTwo();
		const id = await one.callAsTask();
		// It shows what the first one asks, and answers it in the moment in which that one stops.
		await expect.poll(two.waiting).toHaveLength(1);
		const stopped = one.gateway.stop('test');
		await two.allow();
		await stopped;
		await expect.poll(() => statusAt(two, id), {timeout: 10_000}).toBe('completed');
		expect(garden.calls).toBe(1);
	});

	test('a client ends its task at either', async () => {
		const {one, two, garden} = await openTwo();
		const id = await one.callAsTask();
		expect(await two.laptop.cancel(id)).toHaveProperty('result');
		expect(await statusAt(one, id)).toBe('cancelled');
		one.leap(2000);
		await expect.poll(one.waiting, {timeout: 5000}).toEqual([]);
		expect(garden.calls).toBe(0);
	});

	test('one that was declared dead meanwhile makes no call of the task, which the other makes once', async () => {
		const {one, two, garden, sql} = await openTwo();
		const id = await one.callAsTask();
		await sql(`UPDATE nodes SET state = 'dead' WHERE name = 'web-1'`);
		two.leap(60_000);
		await expect.poll(async () => (await two.waiting())[0], {timeout: 10_000}).toMatchObject({node: 'web-2'});
		await two.allow();
		await expect.poll(() => statusAt(two, id), {timeout: 5000}).toBe('completed');
		expect(garden.calls).toBe(1);
	});
});
