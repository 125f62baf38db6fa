import {describe, expect, test} from 'vitest';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {reduceAll} from '../../source/state/reduce.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {waitingCount, waitingCounts} from '../../source/state/waiting.ts';
import {
	approval,
	failing,
	inProfile,
	login,
	proposal,
	question,
	run,
	server,
	settled,
	snapshotOf,
	stamp,
	uncertain,
} from '../tui/sample-events.ts';

const needsLogin = server('a', {state: 'needs-login'});
const ended: GatewayEventBody = {
	type: 'question.settled',
	id: 'q',
	kind: 'elicitation',
	asker: 'a',
	outcome: 'answered',
};
const cleared: GatewayEventBody = {
	type: 'delivery.cleared',
	id: 'failing-r',
	route: 'r',
	target: 'telegram',
	by: 'delivery',
};

/** The event by which something begins to need a person, and the one that ends it. */
const kinds: ReadonlyArray<
	readonly [kind: keyof ReturnType<typeof waitingCounts>, GatewayEventBody, GatewayEventBody]
> = [
	['approvals', approval('1'), settled('1')],
	['questions', question('q'), ended],
	['proposals', proposal('p'), {type: 'proposal.settled', id: 'p', outcome: 'cancelled'}],
	['uncertain', uncertain('u'), {type: 'call.resolved', callId: 'u', resolution: 'done'}],
	['inbox', run('r', {state: 'inbox'}), run('r', {state: 'finished'})],
	['logins', needsLogin, server('a')],
	['logins', login('a'), login('a', {state: 'succeeded'})],
	['logins', login('a', {state: 'awaiting-redirect', flow: 'browser'}), login('a', {state: 'failed'})],
	['failedDeliveries', failing('r'), cleared],
];

describe('what needs a person is counted by kind', () => {
	test.each(kinds)('%s', (kind, begin, end) => {
		const before = snapshotOf([server('b'), run('other', {state: 'running'})]);
		const during = reduceAll(before, stamp([begin, begin]));
		const after = reduceAll(during, stamp([end]));
		expect([before, during, after].map(waitingCount)).toEqual([0, 1, 0]);
		expect(waitingCounts(during)[kind]).toBe(1);
	});

	test('all of them together', () => {
		expect(waitingCount(snapshotOf(kinds.map(([, begin]) => begin)))).toBe(kinds.length - 2);
	});
});

test('a server that needs a login and its login under way are one', () => {
	expect(waitingCounts(snapshotOf([needsLogin, login('a'), login('b')])).logins).toBe(2);
});

test('servers of the same name in two profiles need two logins', () => {
	const [first, second] = stamp([needsLogin, inProfile('work', login('a'))]);
	expect(waitingCounts(reduceAll(emptySnapshot, [first!, second!])).logins).toBe(2);
});

test('more failures at the same route and platform count no more', () => {
	expect(waitingCount(snapshotOf([failing('r'), failing('r', {failures: 2500})]))).toBe(1);
	expect(waitingCount(snapshotOf([failing('r'), failing('r', {id: 'other', target: 'slack'})]))).toBe(2);
});

test('an inbox item stays in the count while hundreds of runs pass by', () => {
	const runs = Array.from({length: 1200}, (_, index) => run(`r${index}`, {state: 'finished'}));
	const snapshot = snapshotOf([run('item', {state: 'inbox'}), ...runs]);
	expect([snapshot.runs.length, waitingCounts(snapshot).inbox]).toEqual([500, 1]);
});
