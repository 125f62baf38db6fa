import {describe, expect, test} from 'vitest';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';
import {openStorageOf} from '../helpers/postgres-storage.ts';
import {openNode, openTwo} from './open-node.ts';
import {approve} from './open-queue.ts';

const argumentsHash = 'hash-of-a';

describe.skipIf(!hasPostgres)('an approval that waits at one gateway', () => {
	test('is shown at the other with its node, by the clock there, and answered there', async () => {
		const place = await newPostgresPlace();
		const one = await openNode('web-1', place);
		// Ten minutes ahead.
		const two = await openNode('web-2', place, {start: 1_700_000_600_000});
		const asked = await one.ask();
		expect(one.ofType('approval.requested')).toMatchObject([{id: asked.id, node: 'web-1'}]);
		await two.look();
		const [shown] = two.ofType('approval.requested');
		expect(shown).toMatchObject({id: asked.id, node: 'web-1', askedAt: 'another-node', server: 'files', argumentsHash});
		expect(Math.abs((shown?.expiresAt ?? 0) - two.clock.now() - 300_000)).toBeLessThan(10_000);
		const answer = {id: asked.id, argumentsHash, verdict: approve, by: 'console:1'};
		expect(await two.requests.answerApproval(answer)).toBe('resolved');
		const settled = {id: asked.id, node: 'web-1', outcome: 'approved'};
		expect(two.ofType('approval.settled')).toMatchObject([{...settled, askedAt: 'another-node', by: 'console:1'}]);
		await one.look();
		expect(await asked.outcome).toEqual({kind: 'approved', scope: 'once', by: 'console:1 on web-2'});
		expect(one.ofType('approval.settled')).toMatchObject([settled]);
		expect(one.ofType('approval.settled')[0]).not.toHaveProperty('askedAt');
		await two.look();
		expect(two.requests.approvals()).toEqual([]);
	});

	test('ends there as it ends where it was asked, and without an answer it ends there, too', async () => {
		const {one, two} = await openTwo();
		const caller = new AbortController();
		const [left, denied] = [await one.ask({}, {signal: caller.signal}), await one.ask()];
		await two.look();
		expect(two.requests.approvals().map(({id}) => id)).toEqual([left.id, denied.id]);
		caller.abort();
		const deny = {id: denied.id, argumentsHash, verdict: {kind: 'deny', message: 'no'}, by: 'console:2'} as const;
		expect(await one.requests.answerApproval(deny)).toBe('resolved');
		expect(await denied.outcome).toEqual({kind: 'denied', by: 'console:2', message: 'no'});
		expect(await left.outcome).toEqual({kind: 'cancelled'});
		await expect
			.poll(async () => {
				await two.look();
				return two.ofType('approval.settled');
			})
			.toMatchObject([
				{id: left.id, outcome: 'cancelled'},
				{id: denied.id, outcome: 'denied', by: 'console:2 on web-1', message: 'no'},
			]);
	});

	test('is announced to the other when it is asked, answered or withdrawn, and only then', async () => {
		const place = await newPostgresPlace();
		const one = await openNode('web-1', place);
		const {hints} = await openStorageOf(place.database);
		const caller = new AbortController();
		const [left, denied] = [await one.ask({}, {signal: caller.signal}), await one.ask()];
		await expect.poll(() => hints).toEqual(['requests', 'requests']);
		await one.requests.answerApproval({id: denied.id, argumentsHash, verdict: {kind: 'deny'}, by: 'cli'});
		await expect.poll(() => hints).toHaveLength(3);
		caller.abort();
		await left.outcome;
		await expect.poll(() => hints).toHaveLength(4);
		await one.journal.answerRequest({id: left.id, argumentsHash, end: {kind: 'denied'}});
		one.journal.endRequest(left.id, {kind: 'timed_out'});
		await one.ask();
		await expect.poll(() => hints).toHaveLength(5);
	});

	test('is decided by the first of two answers that are given at once, in every round', async () => {
		const {one, two} = await openTwo();
		for (let round = 0; round < 20; round++) {
			const {id, outcome} = await one.ask();
			await two.look();
			const answers = await Promise.all([
				one.requests.answerApproval({id, argumentsHash, verdict: approve, by: 'console:1'}),
				two.requests.answerApproval({id, argumentsHash, verdict: {kind: 'deny'}, by: 'console:1'}),
			]);
			expect(answers.toSorted()).toEqual(['already-settled', 'resolved']);
			await one.look();
			const expected = answers[0] === 'resolved' ? 'approved' : 'denied';
			expect(await outcome).toMatchObject({kind: expected});
			expect([one, two].map(node => node.requests.endOf(id)?.kind)).toEqual([expected, expected]);
		}
	});

	test('is not decided by an answer to other arguments, or for longer than it offers', async () => {
		const {one, two, sql} = await openTwo();
		const {id} = await one.ask();
		await two.look();
		const answer = {id, argumentsHash, verdict: approve, by: 'console:1'};
		expect(await two.requests.answerApproval({...answer, argumentsHash: 'another'})).toBe('changed');
		expect(await two.requests.answerApproval({...answer, verdict: {kind: 'approve', scope: 'run'}})).toBe(
			'not-offered',
		);
		// The row is another one than was shown.
		await sql(`UPDATE requests SET arguments_hash = 'another'`);
		expect(await two.requests.answerApproval(answer)).toBe('changed');
		await sql(`UPDATE requests SET arguments_hash = '${argumentsHash}'`);
		expect(await two.requests.answerApproval(answer)).toBe('resolved');
	});

	test('cannot be answered once its time is over by the clock of the database', async () => {
		const {one, two, sql} = await openTwo();
		const {id, outcome} = await one.ask();
		await two.look();
		await sql('UPDATE requests SET expires_at = 1');
		const answer = {id, argumentsHash, verdict: approve, by: 'console:1'};
		expect(await two.requests.answerApproval(answer)).toBe('already-settled');
		expect(two.requests.endOf(id)).toEqual({kind: 'timed_out'});
		await one.clock.advance(302_000);
		expect(await outcome).toEqual({kind: 'timed_out'});
	});

	test('with more arguments than its card shows can be read to its end', async () => {
		const {one, two} = await openTwo();
		const hidden = {sentBytes: 20, cutBytes: 10, maskedValues: 1, markedCharacters: 0};
		const whole = {
			...hidden,
			cutBytes: 0,
			server: 'files',
			tool: 'write_file',
			description: '',
			arguments: {path: '/all'},
		};
		const masks: string[] = [];
		const asked = await one.ask(hidden, {fullRequest: given => (masks.push(given), whole)});
		await two.look();
		expect(await two.requests.fullRequest(asked.id, 'off')).toEqual(whole);
		expect(masks).toEqual(['on']);
	});

	test('is cancelled once its gateway is gone, and no other one', async () => {
		const {one, two, sql} = await openTwo();
		const [gone, alive] = [await one.ask(), await one.ask()];
		await sql(`
			INSERT INTO nodes (incarnation, name, lease, started_at, seen_at, state)
			VALUES ('first', 'web-1', 1, 1, 1, 'dead'), ('second', 'web-1', 1, 1, 1, 'alive');
			UPDATE requests SET owner = CASE WHEN id = '${gone.id}' THEN 'first' ELSE 'second' END`);
		await two.look();
		await two.journal.cancelAbandonedRequests();
		await two.look();
		expect(two.ofType('approval.settled')).toMatchObject([{id: gone.id, outcome: 'cancelled'}]);
		await one.look();
		expect(await gone.outcome).toEqual({kind: 'cancelled'});
		expect(one.approvals.pending()).toMatchObject([{id: alive.id}]);
	});

	test('has its marked characters counted here, whatever its row says of them', async () => {
		const {one, two, sql} = await openTwo();
		const forged = await one.ask({arguments: {path: 'dеlete'}, markedCharacters: 1});
		const older = await one.ask({arguments: {path: 'раypal'}});
		const cut = await one.ask({arguments: {path: 'Überweisung'}, markedCharacters: 5});
		await sql(`UPDATE requests SET request = replace(request, ',"markedCharacters":1', '') WHERE id = '${forged.id}'`);
		await two.look();
		expect(two.requests.approvals().map(({id, markedCharacters}) => [id, markedCharacters])).toEqual([
			[forged.id, 1],
			[older.id, 2],
			[cut.id, 5],
		]);
	});

	test('is left out where its row is not fit to be shown', async () => {
		const {one, two, sql} = await openTwo();
		await one.ask();
		const fit = await one.ask();
		const [row] = (await sql('SELECT request FROM requests ORDER BY id LIMIT 1')) as ReadonlyArray<{request: string}>;
		const hostile = row?.request.replace('"write_file"', '"\\u001B[2Jrm"').replaceAll("'", "''") ?? '';
		await sql(`UPDATE requests SET request = '${hostile}' WHERE id <> '${fit.id}'`);
		await sql(`UPDATE requests SET node = E'web\\u202E-1'`);
		await two.look();
		expect(two.requests.approvals()).toMatchObject([{id: fit.id, node: 'web‹U+202E›-1'}]);
	});

	test('is left out where its row has another request, which is said once', async () => {
		const {one, two, sql} = await openTwo();
		const [other, moved] = [await one.ask(), await one.ask()];
		const fit = await one.ask();
		await sql(`UPDATE requests SET request = replace(request, '${other.id}', '${fit.id}') WHERE id = '${other.id}'`);
		await sql(`UPDATE requests SET arguments_hash = 'another' WHERE id = '${moved.id}'`);
		await two.look();
		await two.look();
		expect(two.requests.approvals().map(({id}) => id)).toEqual([fit.id]);
		expect(two.ofType('log').map(({text}) => text)).toEqual(
			[other, moved].map(({id}) => `${id} of web-1 is not shown, because its row in the journal holds another request`),
		);
	});

	test('is not asked at all while its row cannot be written, and no answer counts that cannot be', async () => {
		const place = await newPostgresPlace();
		const away = async () => Promise.reject(new Error('gone'));
		const mute = await openNode('web-1', place, {instead: {askRequest: away}});
		await expect(mute.ask()).rejects.toThrow('gone');
		expect(mute.ofType('approval.requested')).toEqual([]);
		const one = await openNode('web-2', place, {instead: {answerRequest: away}});
		const {id} = await one.ask();
		const answer = {id, argumentsHash, verdict: approve, by: 'console:1'};
		await expect(one.requests.answerApproval(answer)).rejects.toMatchObject({
			code: 'storage_unavailable',
			message: expect.stringContaining('It counts only if the request has disappeared'),
		});
		expect(one.approvals.pending()).toHaveLength(1);
	});
});

describe.skipIf(!hasPostgres)('a call that a person allowed at another gateway', () => {
	const documents = [{profile: 'default', name: 'approval-rules', version: 0}];

	test('is claimed by the gateway that asked, for this call alone', async () => {
		const {one, two, sql} = await openTwo();
		const [{id}, denied] = [await one.ask(), await one.ask()];
		const claim = (callId: string, request: {id: string; argumentsHash: string}) =>
			one.journal.claimCall({callId, documents, request});
		const request = {id, argumentsHash};
		expect(await claim('c1', request)).toBe('not-allowed');
		await two.look();
		const answer = {argumentsHash, by: 'console:1'};
		await two.requests.answerApproval({...answer, id, verdict: approve});
		await two.requests.answerApproval({...answer, id: denied.id, verdict: {kind: 'deny'}});
		expect(await claim('c1', {...request, argumentsHash: 'another'})).toBe('not-allowed');
		expect(await claim('c1', {...request, id: denied.id})).toBe('not-allowed');
		expect(await claim('c1', {...request, id: 'of no request'})).toBe('not-allowed');
		// The answer of the first may have been lost on its way.
		expect([await claim('c1', request), await claim('c1', request)]).toEqual(['claimed', 'claimed']);
		expect(await claim('c2', request)).toBe('not-allowed');
		// It was asked by an earlier start of the gateway.
		await sql(`UPDATE requests SET owner = 'first'`);
		expect(await claim('c1', request)).toBe('not-allowed');
	});

	test('claims nothing by what is not so any more, and then still can', async () => {
		const {one, two} = await openTwo();
		const {id} = await one.ask();
		await one.requests.answerApproval({id, argumentsHash, verdict: approve, by: 'cli'});
		const change = {profile: 'default', name: 'approval-rules', from: 0, content: '{"rules":[]}', by: 'web-2'};
		expect(await two.journal.replaceDocument(change)).toBe('replaced');
		const claim = {callId: 'c1', documents, request: {id, argumentsHash}};
		expect(await one.journal.claimCall(claim)).toBe('changed');
		const now = {...claim, documents: documents.map(one => ({...one, version: 1}))};
		expect(await one.journal.claimCall(now)).toBe('claimed');
		expect(await one.journal.claimCall({callId: 'c2', documents})).toBe('changed');
		expect(await one.journal.claimCall({callId: 'c2', documents: now.documents})).toBe('claimed');
	});
});

test.skipIf(!hasPostgres)('a request is removed a day after its time was over, and no other one', async () => {
	const {one, sql} = await openTwo();
	const [old, young] = [await one.ask(), await one.ask()];
	await sql(`UPDATE requests SET expires_at = ${Date.now() - 86_400_000} WHERE id = '${old.id}'`);
	one.journal.prune();
	await expect.poll(() => sql('SELECT id FROM requests')).toEqual([{id: young.id}]);
});
