import {type Journal, type RunRow} from '../journal/journal.ts';
import {gatewayStopped} from './abort-reasons.ts';
import {type DeliverAnswer} from './deliver-answer.ts';
import {createInboxStatus, type InboxStatus, type InboxStatusOptions, parked} from './inbox-status.ts';
import {runChanged} from './run-event.ts';
import {nextRunState} from './run-state.ts';
import {unknownRun} from './unknown-run.ts';

/** Where runs wait for a person when there is no model. They stay until a person answers or closes them, over restarts too. */
export type Inbox = InboxStatus & {
	/** Delivers what a person wrote as the run's own answer would be, and closes the item; it stays when that fails. Rejects with `unknown_run`. */
	readonly answer: (runId: string, text: string) => Promise<void>;
	/** Closes an item without an answer. Rejects with `unknown_run`. */
	readonly close: (runId: string) => Promise<void>;
	/** Ends deliveries under way. */
	readonly stop: () => Promise<void>;
};

const closed = 'closed by a person';
const answered = 'answered by a person';

/** Opens the inbox. */
export function createInbox(
	options: InboxStatusOptions & {readonly journal: Pick<Journal, 'finishRun'>; readonly deliverAnswer: DeliverAnswer},
): Inbox {
	const {journal, deliverAnswer, profileOf} = options;
	const ending = new AbortController();
	const answering = new Map<string, Promise<void>>();

	const need = (runId: string): RunRow => {
		const run = journal.findRun(runId);
		if (run?.state !== parked || answering.has(runId)) {
			throw unknownRun('There is no open inbox item', runId);
		}

		return run;
	};

	const finish = async (run: RunRow, end: {readonly reason: string; readonly answer?: string}) => {
		const {reason, ...result} = end;
		const state = nextRunState(run.state, 'close');
		await journal.finishRun(run.id, {state, reason, result});
		profileOf(run.profile).publish(runChanged(run, state, end));
	};

	const deliver = async (run: RunRow, text: string): Promise<void> => {
		const delivery = await deliverAnswer(run, text, {signal: ending.signal});
		if (delivery.kind === 'failed') {
			const reason = `the answer was not delivered: ${delivery.reason}`;
			profileOf(run.profile).publish(runChanged(run, parked, {reason}));
			return;
		}

		await finish(run, {reason: answered, answer: text});
	};

	return {
		...createInboxStatus(options),
		async answer(runId, text) {
			const run = need(runId);
			const work = deliver(run, text).finally(() => answering.delete(runId));
			answering.set(runId, work);
			await work;
		},
		close: async runId => finish(need(runId), {reason: closed}),
		async stop() {
			ending.abort(gatewayStopped);
			await Promise.allSettled(answering.values());
		},
	};
}
