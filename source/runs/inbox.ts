import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {Problem} from '../util/problem.ts';
import {type DeliverAnswer} from './deliver-answer.ts';
import {reportProblem} from './report-problem.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {type ProfileOf} from './run-profile.ts';
import {nextRunState} from './run-state.ts';
import {unknownRun} from './unknown-run.ts';

/** Where runs wait for a person when there is no model. They stay until a person answers or closes them, over restarts too. */
export type Inbox = {
	/** Tells of an item, and of the tools that a person may call for it once they are known. */
	readonly show: (run: RunRecord) => void;
	/** Tells of the tools of an item that windows know already. */
	readonly showTools: (run: RunRecord) => void;
	/** Delivers what a person wrote as the run's own answer would be, and closes the item; it stays when that fails. Rejects with `unknown_run`. */
	readonly answer: (runId: string, text: string) => Promise<void>;
	/** Closes an item without an answer. Rejects with `unknown_run`. */
	readonly close: (runId: string) => Promise<void>;
	/** Ends deliveries under way. */
	readonly stop: () => Promise<void>;
};

export const parked = nextRunState('queued', 'park');
export const noModel = 'no model configured';
const closed = 'closed by a person';
const answered = 'answered by a person';

/** Opens the inbox. */
export function createInbox(options: {
	readonly journal: Pick<Journal, 'finishRun' | 'findRun'>;
	readonly deliverAnswer: DeliverAnswer;
	readonly profileOf: ProfileOf;
}): Inbox {
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

	const tellTools = async (run: RunRecord) => {
		const {agent, publish} = profileOf(run.profile);
		const allowedTools = await agent.allowedTools(run);
		if (allowedTools.length === 0) {
			return;
		}

		const item = journal.findRun(run.id);
		if (item?.state === parked) {
			publish(runChanged(item, parked, {reason: item.reason, allowedTools}));
		}
	};

	const showTools = (run: RunRecord) =>
		void tellTools(run).catch((caught: unknown) =>
			reportProblem(profileOf(run.profile).publish, caught, `run ${run.id}`),
		);

	return {
		showTools,
		show(run) {
			profileOf(run.profile).publish(runAppeared(run, parked, {reason: noModel, startedAt: run.createdAt}));
			showTools(run);
		},
		async answer(runId, text) {
			const run = need(runId);
			const work = deliver(run, text).finally(() => answering.delete(runId));
			answering.set(runId, work);
			await work;
		},
		close: async runId => finish(need(runId), {reason: closed}),
		async stop() {
			ending.abort(new Problem('cancelled', {message: 'the gateway stopped'}));
			await Promise.allSettled(answering.values());
		},
	};
}
