import {describe, expect, test} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {openTestHold} from '../helpers/open-hold.ts';
import {openCallFixture} from './call-fixture.ts';
import {definition, offerOf} from './server-offers.ts';

/** A call that a person has just allowed, whose run waits for a slot until `goOn`. */
async function openAllowed(options: Parameters<typeof openCallFixture>[0] = {}) {
	const fixture = openCallFixture(options);
	const slot = Promise.withResolvers<void>();
	const caller = new AbortController();
	const writing = fixture.callTool(
		{name: 'mcp__files__write', arguments: {}, origin: {kind: 'command-line'}},
		{signal: caller.signal, resume: () => slot.promise},
	);
	await fixture.answer({kind: 'approve', scope: 'once'});
	await fixture.clock.settle();
	expect(fixture.decisions).toMatchObject([{outcome: 'approved'}]);
	return {...fixture, caller, writing, goOn: slot.resolve};
}

const deny: Rule = {id: 'r1', source: 'config', action: 'deny', server: 'files', arguments: {}, ignore: []};

describe('a call that was allowed while its run has no slot', () => {
	test('is sent once the run has one, however long after its time', async () => {
		const {clock, requests, writing, goOn, approvals} = await openAllowed();
		await clock.advance(3_600_000);
		expect([requests, approvals.pending()]).toEqual([[], []]);
		goOn();
		expect(await writing).toMatchObject({kind: 'result'});
		expect(requests).toHaveLength(1);
	});

	test('waits on while everything is held by then, and is not asked for again', async () => {
		const hold = openTestHold();
		const {clock, requests, writing, goOn, ofType} = await openAllowed({hold});
		await hold.hold({by: 'cli', reason: 'looks odd'});
		goOn();
		await clock.settle();
		expect([requests, hold.waiting().length]).toEqual([[], 1]);
		await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
		expect(await writing).toMatchObject({kind: 'result'});
		expect(ofType('approval.requested')).toHaveLength(1);
	});

	test('is not made when its tool has changed by then', async () => {
		const {catalogue, config, requests, writing, goOn} = await openAllowed();
		catalogue.register(config, {
			...offerOf('write'),
			tools: [definition('write', {description: 'Deletes everything'})],
			resources: true,
		});
		goOn();
		expect(await writing).toMatchObject({error: {code: 'cancelled'}});
		expect(requests).toEqual([]);
	});

	test('is not made when a rule denies it by then', async () => {
		let rules: readonly Rule[] = [];
		const {requests, calls, writing, goOn} = await openAllowed({ruleList: () => rules});
		rules = [deny];
		goOn();
		expect(await writing).toMatchObject({error: {code: 'denied'}});
		expect([requests, calls]).toEqual([[], []]);
	});

	test('is not made when its server was removed by then', async () => {
		const {connections, config, requests, writing, goOn} = await openAllowed();
		connections.delete(config.name);
		goOn();
		expect(await writing).toMatchObject({error: {code: 'cancelled'}});
		expect(requests).toEqual([]);
	});

	test('is not made when its caller has left by then', async () => {
		const {caller, requests, writing, goOn} = await openAllowed();
		caller.abort();
		goOn();
		expect(await writing).toMatchObject({error: {code: 'cancelled'}});
		expect(requests).toEqual([]);
	});
});
