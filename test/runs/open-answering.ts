import {uncountedSlot} from '../../source/agent/run-waits.ts';
import {type Delivery, type DeliveryResult} from '../../source/delivery/deliver.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {type JournalPlace} from '../../source/journal/open-journal.ts';
import {createExecuteRun} from '../../source/runs/execute-run.ts';
import {createInbox} from '../../source/runs/inbox.ts';
import {createOutbox} from '../../source/runs/outbox.ts';
import {createDeliverAnswer, createPublishEnd} from '../../source/runs/run-answers.ts';
import {type Destination} from '../../source/util/destinations.ts';
import {to} from '../helpers/destinations.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {type JournalEngine} from '../helpers/journal-engines.ts';
import {acceptRun, sampleRun, takeRun} from '../helpers/journal-records.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent} from './fake-agent.ts';

/** A run in this state, and what answers it; `journal` is the whole one, `lacking` replaces what the gateway uses of it. */
export async function openAnswering(
	{open}: Pick<JournalEngine, 'open'>,
	{
		state,
		...options
	}: {
		readonly state: 'inbox' | 'running';
		readonly deliver: (delivery: Delivery, signal: AbortSignal) => Promise<DeliveryResult>;
		/** Default: one. */
		readonly destinations?: readonly Destination[];
		readonly place?: JournalPlace;
		readonly lacking?: (journal: Journal) => Partial<Journal>;
	},
) {
	const clock = createFakeClock();
	const journal = await open({clock, ...(options.place && {place: options.place})});
	const run = sampleRun({id: 'a', deliver: options.destinations ?? to('telegram')});
	await acceptRun(journal, run);
	await takeRun(journal, {state, reason: 'no model configured'});
	const used = {...journal, ...options.lacking?.(journal)};
	const {publish, ofType} = recordEvents();
	const publishOf = () => publish;
	const sent: string[] = [];
	const outbox = createOutbox({
		journal: used,
		clock,
		publishOf,
		redact: text => text,
		settled: createPublishEnd({journal, publishOf}),
		deliver(delivery, {signal}) {
			sent.push(delivery.text);
			return options.deliver(delivery, signal);
		},
	});
	const profileOf = () => ({publish, agent: fakeAgent(async () => 'Yes')});
	const deliverAnswer = createDeliverAnswer(outbox.deliver);
	const payloadOf = async () => undefined;
	const ended: string[] = [];
	const execute = createExecuteRun({
		journal: used,
		clock,
		deliverAnswer,
		profileOf,
		payloadOf,
		ended: (_, {state: end, reason = ''}) => void ended.push(`${end} ${reason}`.trim()),
	});
	return {
		run,
		clock,
		journal,
		outbox,
		sent,
		/** The ends of runs that were announced. */
		ended,
		messages: async () =>
			(await journal.listMessages({limit: 10})).toReversed().map(({target, state: end}) => `${target} ${end}`),
		stored: async () => {
			const {state: end, reason} = (await journal.findRun(run.id)) ?? {};
			return {state: end, reason};
		},
		inbox: createInbox({journal: used, clock, deliverAnswer, profileOf}),
		work: (signal = neverAborted()) => execute(run, {signal, slot: uncountedSlot, onAsked: () => undefined}),
		sendAgain: () => outbox.sendAgain(run.eventId),
		states: () => ofType('run.state').map(event => event.state),
		/** The messages that another gateway, or the next start, would send. */
		sendLeft: async () => {
			await outbox.resume(await outbox.leftBehind(), async () => undefined);
			return sent;
		},
	};
}
