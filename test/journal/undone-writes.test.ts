import {describe, expect, test} from 'vitest';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {openNode, type Node} from '../helpers/journal-nodes.ts';
import {sampleMessage, sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {losingAnswerTo} from '../helpers/lost-answers.ts';
import {hasPostgres} from '../helpers/postgres-server.ts';

describe.skipIf(!hasPostgres)('what a gateway was refused though it was written', () => {
	const lost = 'its answer is lost';
	const deduplicateUntil = Date.now() + 600_000;
	const work = {
		run: sampleRun({id: 'run', eventId: 'event', deliveryId: 'one', prompt: lost, createdAt: Date.now()}),
		message: sampleMessage('message', {eventId: 'event', text: lost}),
	};
	const retry = ({journal}: Pick<Node, 'journal'>) =>
		journal.acceptEvent({event: sampleEvent({id: 'retry', deliveryId: 'one'}), deduplicateUntil});
	const accept = (parts: Partial<Parameters<Node['journal']['acceptEvent']>[0]>) => (node: Node) =>
		node.journal.acceptEvent({
			event: sampleEvent({id: 'event', deliveryId: 'one', time: Date.now()}),
			deduplicateUntil,
			...parts,
		});
	/** A message that was being sent is in doubt once its gateway is gone, and stays claimed. */
	const askMessage = accept({messages: [work.message]});
	const claim = ({journal}: Node, slot: number, runId: string) =>
		journal.claimJob({jobId: 'job', slot, runId}, sampleRun({...work.run, id: runId, eventId: ''}));
	const askJob = async (node: Node) => {
		await accept({isOpen: true})(node);
		await node.journal.claimJob({jobId: 'job', slot: 1, runId: 'run'}, work.run).catch((caught: unknown) => {
			node.journal.settleEvent('event', {status: 503, outcome: 'unavailable', ms: 1});
			throw caught;
		});
	};
	const takeRunOf = ({journal}: Node) => journal.moveQueuedRuns(['run'], {state: 'running'});
	const again = async (node: Node) => [
		await retry(node),
		(await node.journal.findEvent('event'))?.status,
		(await node.journal.findRun('run'))?.state,
	];
	const window = {route: 'github', key: 'k'};
	const cases: ReadonlyArray<{
		readonly what: string;
		readonly ask: (node: Node) => Promise<unknown>;
		readonly act: (other: Node) => Promise<unknown>;
		readonly left: (node: Node) => Promise<unknown>;
		readonly acted: unknown;
		readonly undone: unknown;
	}> = [
		{
			what: 'a run that another took',
			ask: accept({run: work.run}),
			act: takeRunOf,
			left: again,
			acted: ['duplicate', 202, 'running'],
			undone: ['accepted', 503, 'cancelled'],
		},
		{
			what: 'a note that a turn of the run has got',
			async ask(node) {
				await node.journal.queueRun(sampleRun({id: 'noted', eventId: '', createdAt: Date.now()}));
				await node.journal.addRunNote('noted', {id: 'note', at: 1, by: 'cli', text: lost});
			},
			act: ({journal}) => journal.markNotesRead(['note'], {at: 2, turn: 1}),
			left: async ({journal}) => (await journal.findRunProgress('noted')).notes.length,
			acted: 1,
			undone: 0,
		},
		{
			what: 'a run whose event another answered as a duplicate',
			ask: accept({run: work.run}),
			act: retry,
			left: again,
			acted: ['duplicate', 202, 'queued'],
			undone: ['accepted', 503, 'cancelled'],
		},
		{
			what: 'a run whose event another answered as a duplicate, among some that depend on each other',
			ask: accept({run: work.run}),
			act: ({journal}) => Promise.all([retry({journal}), retry({journal})]),
			left: again,
			acted: ['duplicate', 202, 'queued'],
			undone: ['accepted', 503, 'cancelled'],
		},
		{
			what: 'a window that another closed',
			ask: accept({run: work.run, windowKey: window.key}),
			act: ({journal}) => journal.takeDueWindow(window),
			left: again,
			acted: ['duplicate', 202, 'queued'],
			undone: ['accepted', 503, undefined],
		},
		{
			what: 'a message that a person sent at another',
			ask: askMessage,
			async act({journal}) {
				await expect.poll(() => journal.expireNodes(), {interval: 10}).toEqual(['a']);
				await journal.markInterruptedSendsUncertain('nobody knows');
				await journal.beginMessage('message', 'outcome_uncertain');
			},
			left: again,
			acted: ['duplicate', 202, undefined],
			undone: ['accepted', 503, undefined],
		},
		{
			what: 'a job whose run another took',
			ask: node => claim(node, 1, 'run'),
			act: takeRunOf,
			left: async node => [(await node.journal.findRun('run'))?.state, await claim(node, 1, 'next')],
			acted: ['running', 'late'],
			undone: ['cancelled', 'claimed'],
		},
		{
			what: 'a job of an event whose run another took',
			ask: askJob,
			act: takeRunOf,
			left: again,
			acted: ['duplicate', 202, 'running'],
			undone: ['accepted', 503, 'cancelled'],
		},
		{
			what: 'a job whose event another answered as a duplicate',
			ask: askJob,
			act: retry,
			left: again,
			acted: ['duplicate', 202, 'queued'],
			undone: ['accepted', 503, 'cancelled'],
		},
	];

	test.each(cases)('stays when another has acted on it, and is undone otherwise: $what', async one => {
		for (const isActedOn of [true, false]) {
			const place = await newPostgresPlace();
			const node = await openNode(await losingAnswerTo(place, lost), 'a', 50);
			const other = await openNode(place, 'b');
			await expect(one.ask(node)).rejects.toMatchObject({code: 'storage_unavailable'});
			await (isActedOn && one.act(other));
			node.tryAgain();
			await expect.poll(node.isOpen).toBe(true);
			expect(await one.left(other)).toEqual(isActedOn ? one.acted : one.undone);
		}
	});

	test.each(cases.filter(({ask}) => ask !== askMessage))(
		'the same for one that was declared dead meanwhile: $what',
		async one => {
			for (const isActedOn of [true, false]) {
				const place = await newPostgresPlace();
				const node = await openNode(await losingAnswerTo(place, lost), 'a', 50);
				const other = await openNode(place, 'b');
				await expect(one.ask(node)).rejects.toMatchObject({code: 'storage_unavailable'});
				await expect.poll(() => other.journal.expireNodes(), {interval: 10}).toEqual(['a']);
				await (isActedOn && one.act(other));
				node.tryAgain();
				await expect.poll(node.isOpen).toBe(true);
				expect(await one.left(other)).toEqual(isActedOn ? one.acted : one.undone);
			}
		},
	);
});
