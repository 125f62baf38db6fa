import {describe, expect, test} from 'vitest';
import {createNodes} from '../../../source/gateway/journal/nodes.ts';
import {type NodeRow} from '../../../source/journal/rows/node-rows.ts';
import {Problem} from '../../../source/util/problem.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {recordEvents} from '../../helpers/record-events.ts';

const lease = 15_000;
const node = (name: string, state: NodeRow['state'] = 'alive'): NodeRow => ({
	name,
	instanceId: name,
	startedAt: 0,
	seenAt: 0,
	state,
});

/** A gateway among others, whose journal answers what the test says. */
function openNodes() {
	const clock = createFakeClock();
	const {publish, ofType} = recordEvents();
	const journal = {
		isAway: false,
		isDead: false,
		isUnread: false,
		recovery: undefined as Promise<void> | undefined,
		ahead: 0,
		others: [node('web-2')] as readonly NodeRow[],
		heartbeats: 0,
		facts: {} as object,
		expired: 0,
		entered: 0,
		recovered: 0,
		polled: 0,
		shown: 0,
	};
	const answer = async <Value>(value: () => Value | Promise<Value>, isAway = journal.isAway): Promise<Value> => {
		if (isAway) {
			throw new Problem('storage_unavailable');
		}

		return value();
	};

	const nodes = createNodes({
		journal: {
			renewNode: facts =>
				answer(() => {
					journal.facts = facts;
					journal.heartbeats++;
					return journal.isDead ? 'dead' : 'alive';
				}),
			expireNodes: () => answer(() => (journal.expired++, [])),
			listNodes: () =>
				answer(
					() => ({now: clock.now(), nodes: [node('web-1'), ...journal.others]}),
					journal.isAway || journal.isUnread,
				),
		},
		async enterAgain() {
			journal.entered++;
			journal.isDead = false;
			nodes.declaredDead();
		},
		name: () => 'web-1',
		clockAhead: () => journal.ahead,
		clock,
		publish,
	});
	let interrupted = 0;
	nodes.start({
		facts: () => ({version: '1', models: [], consoles: []}),
		abilities: () => ({servers: [], skills: [], platforms: []}),
		leaseMilliseconds: lease,
		interrupt: () => void interrupted++,
		recover: () => answer(() => (journal.recovered++, journal.recovery)),
		wakeRuns: () => void journal.polled++,
		watchOthers: () => ({poll: async () => void journal.shown++, stop: () => undefined}),
	});
	const warnings = () => ofType('log').map(({text}) => text);
	return {nodes, journal, clock, warnings, interrupted: () => interrupted};
}

describe('a gateway that shares its journal', () => {
	test('declares others dead once its own heartbeats have come regularly for two leases', async () => {
		const {journal, clock} = openNodes();
		await clock.advance(2 * lease - 1000);
		expect(journal.expired).toBe(0);
		await clock.advance(1000);
		expect(journal.expired).toBe(1);
	});

	test('declares nobody dead for two leases after its heartbeats did not arrive, however often it tried', async () => {
		const {journal, clock} = openNodes();
		await clock.advance(3 * lease);
		const before = journal.expired;
		expect(before).toBeGreaterThan(0);
		journal.isAway = true;
		await clock.advance(2 * lease);
		journal.isAway = false;
		await clock.advance(2 * lease - 1000);
		expect(journal.expired).toBe(before);
		await clock.advance(lease);
		expect(journal.expired).toBeGreaterThan(before);
	});

	test('knows the time since the last key at the consoles of the others, by what those that live have said', async () => {
		const {nodes, journal, clock} = openNodes();
		await clock.advance(lease);
		expect(nodes.lastKey.since()).toBe(undefined);
		const withKey = (name: string, sinceKey: number, state: NodeRow['state'] = 'alive'): NodeRow => ({
			...node(name, state),
			facts: {version: '1', models: [], consoles: [], sinceKey},
			seenAt: clock.now(),
		});
		journal.others = [withKey('web-2', 7000), withKey('web-3', 5000), withKey('web-1', 0), withKey('web-4', 0, 'left')];
		await clock.advance(lease / 3);
		expect(nodes.lastKey.since()).toBe(5000 + lease / 3);
		expect(journal.facts).not.toHaveProperty('sinceKey');
		nodes.lastKey.pressed();
		await clock.advance(lease / 3);
		expect(nodes.lastKey.since()).toBe(lease / 3);
		expect(journal.facts).toMatchObject({sinceKey: lease / 3});
	});

	test('takes up what is left when another is gone, and once a minute; what fails is tried at the next heartbeat', async () => {
		const {journal, clock} = openNodes();
		await clock.advance(lease);
		expect(journal.recovered).toBe(0);
		journal.others = [node('web-2', 'dead')];
		await clock.advance(lease / 3);
		expect(journal.recovered).toBe(1);
		await clock.advance(59_000);
		expect(journal.recovered).toBe(1);
		await clock.advance(lease / 3);
		expect(journal.recovered).toBe(2);
	});

	test('that was declared dead ends its runs, goes on as another, and takes up what is left', async () => {
		const {journal, clock, warnings, interrupted} = openNodes();
		await clock.advance(0);
		journal.isDead = true;
		await clock.advance(lease / 3);
		expect([journal.entered, interrupted(), journal.recovered]).toEqual([1, 1, 1]);
		expect(warnings()).toEqual([expect.stringContaining('declared this one dead')]);
	});

	test('that was declared dead takes up what is left though it cannot see the others', async () => {
		const {journal, clock} = openNodes();
		await clock.advance(0);
		Object.assign(journal, {isDead: true, isUnread: true});
		await clock.advance(lease / 3);
		expect([journal.entered, journal.recovered]).toEqual([1, 1]);
	});

	test('sends its heartbeats while it takes up what is left, which it does once at a time and again when another goes', async () => {
		const {nodes, journal, clock} = openNodes();
		await clock.advance(0);
		const recovery = Promise.withResolvers<void>();
		Object.assign(journal, {recovery: recovery.promise, others: [node('web-2', 'dead'), node('web-3')]});
		await clock.advance(lease / 3);
		expect([journal.heartbeats, journal.recovered]).toEqual([2, 1]);
		journal.others = [node('web-3', 'dead')];
		await clock.advance(2 * lease);
		expect([journal.heartbeats, journal.recovered]).toEqual([8, 1]);
		recovery.resolve();
		await clock.advance(lease / 3);
		expect(journal.recovered).toBe(2);
		await nodes.endWork();
		await nodes.stop();
	});

	test('says once when the clock of the journal is far from its own, and keeps the list of the others while the journal is away', async () => {
		const {nodes, journal, clock, warnings} = openNodes();
		journal.ahead = -600_000;
		await clock.advance(lease);
		expect(warnings()).toEqual([expect.stringContaining('differ by 600 seconds')]);
		journal.isAway = true;
		await clock.advance(lease);
		expect(nodes.list()?.nodes.length).toBe(2);
	});

	test('may have a model at any other before it has polled them, then at those that are alive and say so', async () => {
		const {nodes, journal, clock} = openNodes();
		const facts = {version: '1', models: ['default'], consoles: []};
		journal.others = [{...node('web-2'), facts}];
		const models = () => ['default', 'work'].map(nodes.mayHaveModelElsewhere);
		expect(models()).toEqual([true, true]);
		await clock.advance(0);
		expect(models()).toEqual([true, false]);
		journal.others = [{...node('web-2', 'dead'), facts}];
		await clock.advance(lease / 3);
		expect(models()).toEqual([false, false]);
	});

	test('knows the others that are alive with their facts, without itself', async () => {
		const {nodes, journal, clock} = openNodes();
		const abilities = {default: {servers: ['garden'], skills: [], platforms: []}};
		const facts = {version: '1', models: ['default'], consoles: [], abilities, freeSlots: 1};
		const others = () => nodes.others().map(one => [one.name, one.facts?.abilities]);
		journal.others = [{...node('web-2'), facts}];
		expect(others()).toEqual([]);
		await clock.advance(0);
		expect(others()).toEqual([['web-2', abilities]]);
		journal.others = [{...node('web-2', 'dead'), facts}];
		await clock.advance(lease / 3);
		expect(others()).toEqual([]);
	});

	test('looks for runs that another has queued each second, until it stops', async () => {
		const {nodes, journal, clock} = openNodes();
		await clock.advance(3000);
		expect(journal.polled).toBe(3);
		await nodes.endWork();
		await clock.advance(3000);
		expect(journal.polled).toBe(3);
	});

	test('takes up nothing more when its work ends, and sends heartbeats until it stops', async () => {
		const {nodes, journal, clock} = openNodes();
		await clock.advance(0);
		await nodes.endWork();
		journal.others = [node('web-2', 'dead')];
		await clock.advance(lease);
		expect([journal.heartbeats, journal.recovered]).toEqual([4, 0]);
		await nodes.stop();
		expect(clock.open()).toBe(0);
	});
});
