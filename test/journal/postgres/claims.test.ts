import {describe, expect, onTestFinished, test} from 'vitest';
import {openConnection} from '../../../source/journal/postgres/connection.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';
import {findRun, idsOf, openStorageOf, queueRun} from '../../helpers/postgres-storage.ts';

const rules = {profile: 'default', name: 'approval-rules'} as const;
const replace = (from: number) =>
	({name: 'replaceDocument', args: [{...rules, from, content: '{}', by: 'a'}]}) as const;
const slow = queueRun('slow');
const claim = (version: number) =>
	({name: 'claimCall', args: [{callId: 'a call', documents: [{...rules, version}]}]}) as const;

/** Two gateways on one journal, where `slow` waits for the returned `release` `when`; rules were stored `versions` times. */
async function openTwo(when: 'when it is written' | 'when its transaction ends', versions = 1) {
	const one = await openStorageOf();
	const {url, schema} = one.database;
	const event = when === 'when it is written' ? '' : 'CONSTRAINT';
	await administer(
		url,
		`SET search_path = ${schema}`,
		`CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN PERFORM pg_advisory_xact_lock_shared(hashtext(TG_TABLE_SCHEMA)); RETURN NULL; END';
		CREATE ${event} TRIGGER rest AFTER INSERT ON runs ${event && 'DEFERRABLE INITIALLY DEFERRED'}
		FOR EACH ROW WHEN (NEW.id = 'slow') EXECUTE FUNCTION rest()`,
	);
	for (let from = 0; from < versions; from++) {
		await one.run(replace(from));
	}

	const holder = await openConnection(one.database, {onLost: () => undefined});
	await holder.query('SELECT pg_advisory_lock(hashtext($1))', [schema]);
	onTestFinished(holder.close);
	/** Resolves once so many statements on this journal wait for a lock. */
	const untilWaiting = (count: number) =>
		expect
			.poll(
				async () =>
					holder.query(
						`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pg_blocking_pids(pid) && (
							SELECT array_agg(pid) || pg_backend_pid() FROM pg_stat_activity
							WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))
						)`,
					),
				{timeout: 10_000},
			)
			.toHaveLength(count);
	return {one, other: await openStorageOf(one.database), release: holder.close, untilWaiting};
}

/** The outcome of a claim, and its presence on disk when a change of the rules in between was answered. */
async function claimAndReplace(when: Parameters<typeof openTwo>[0], version = 1) {
	const {one, other, release, untilWaiting} = await openTwo(when, version);
	const claimed = one.run(claim(version), slow);
	await untilWaiting(1);
	const replaced = other.run(replace(version));
	if (when === 'when its transaction ends') {
		await untilWaiting(2);
		await release();
	}

	expect(await replaced).toEqual([value('replaced')]);
	const isOnDisk = idsOf(await other.run(findRun('slow')))[0] === 'slow';
	await release();
	return {claimed: (await claimed)[0], isOnDisk};
}

const value = (answer: string) => ({kind: 'value', value: answer});

describe.skipIf(!hasPostgres)('a change of the rules', () => {
	test('that is answered before the other writes of a claim are done voids the claim', async () => {
		expect(await claimAndReplace('when it is written')).toEqual({claimed: value('changed'), isOnDisk: false});
	});

	test('is not answered before a claim that did not see it is on disk', async () => {
		expect(await claimAndReplace('when its transaction ends')).toEqual({claimed: value('claimed'), isOnDisk: true});
	});

	test('that is the first of all is not answered before a claim that did not see it is on disk either', async () => {
		const expected = {claimed: value('claimed'), isOnDisk: true};
		expect(await claimAndReplace('when its transaction ends', 0)).toEqual(expected);
	});

	test('that is made again and again while calls are claimed hinders neither', async () => {
		const {one, other} = await openTwo('when it is written');
		for (let from = 1; from < 30; from++) {
			const [[claimed], [replaced]] = await Promise.all([one.run(claim(from)), other.run(replace(from))]);
			expect([value('claimed'), value('changed')]).toContainEqual(claimed);
			expect(replaced).toEqual(value('replaced'));
		}
	});
});
