import {describe, expect, test} from 'vitest';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';
import {openStorageOf} from '../../helpers/postgres-storage.ts';

const rules = {profile: 'default', name: 'approval-rules'} as const;
const replace = (from: number) =>
	({name: 'replaceDocument', args: [{...rules, from, content: '{}', by: 'a'}]}) as const;
const slow = {
	name: 'replaceDocument',
	args: [{profile: 'slow', name: 'hold', from: 0, content: '{}', by: 'a'}],
} as const;
const claim = (version: number) =>
	({name: 'claimCall', args: [{callId: 'a call', documents: [{...rules, version}]}]}) as const;

/** Two gateways on one journal, where `slow` takes half a second `when`; rules were stored once. */
async function openTwo(when: 'when it is written' | 'when its transaction ends') {
	const one = await openStorageOf();
	const {url, schema} = one.database;
	const event = when === 'when it is written' ? '' : 'CONSTRAINT';
	await administer(
		url,
		`SET search_path = ${schema}`,
		`CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END';
		CREATE ${event} TRIGGER rest AFTER INSERT ON documents ${event && 'DEFERRABLE INITIALLY DEFERRED'}
		FOR EACH ROW WHEN (NEW.profile = 'slow') EXECUTE FUNCTION rest()`,
	);
	await one.run(replace(0));
	return {one, other: await openStorageOf(one.database)};
}

/** What became of a claim, and whether it was on disk when a change of the rules was answered that came in between. */
async function claimAndReplace(when: Parameters<typeof openTwo>[0]) {
	const {one, other} = await openTwo(when);
	const claimed = one.run(claim(1), slow);
	await new Promise(resolve => setTimeout(resolve, 200));
	expect(await other.run(replace(1))).toEqual([value('replaced')]);
	const [stored] = await other.run({name: 'listDocuments', args: [[]]});
	return {claimed: (await claimed)[0], isOnDisk: JSON.stringify(stored).includes('slow')};
}

const value = (answer: string) => ({kind: 'value', value: answer});

describe.skipIf(!hasPostgres)('a change of the rules', () => {
	test('that is answered before the other writes of a claim are done voids the claim', async () => {
		expect(await claimAndReplace('when it is written')).toEqual({claimed: value('changed'), isOnDisk: false});
	});

	test('is not answered before a claim that did not see it is on disk', async () => {
		expect(await claimAndReplace('when its transaction ends')).toEqual({claimed: value('claimed'), isOnDisk: true});
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
