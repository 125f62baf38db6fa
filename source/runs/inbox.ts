import {answerWaits, type Journal, type RunEnd, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';
import {type Problem} from '../util/problem.ts';
import {type GiveToCaller} from './event-callers.ts';
import {type AnswerDelivery, type DeliverAnswer} from './run-answers.ts';
import {runAppeared, runChanged, runStored} from './run-event.ts';
import {gatewayStopped, reportProblem, unknownRun} from './run-problems.ts';
import {type ProfileOf} from './run-profile.ts';
import {nextRunState} from './run-state.ts';

/** Publishes inbox items, and the tools that a person may call for them. */
type InboxStatus = {
	/** New items. Their tools are part of the same event when they are known at once, else of a second one. */
	readonly show: (parkedRuns: ReadonlyArray<{readonly run: RunRecord; readonly reason: string}>) => void;
	/** Publishes the tools of runs that are already published as inbox items. */
	readonly showTools: (runs: readonly RunRow[]) => void;
};

/** Runs that wait for a person because there is no model. They stay until a person answers or closes them, even after a restart. */
export type Inbox = InboxStatus & {
	/** Delivers a person's text like the answer of a model, and closes the item; it stays open when that fails, and the promise answers why. Rejects with `unknown_run`. */
	readonly answer: (runId: string, text: string) => Promise<string | undefined>;
	/** Closes an item without an answer. Rejects with `unknown_run`. */
	readonly close: (runId: string) => Promise<void>;
	/** Aborts running deliveries. */
	readonly stop: () => Promise<void>;
};

type InboxStatusOptions = {
	readonly journal: Pick<Journal, 'findRun'>;
	readonly clock: Clock;
	readonly profileOf: ProfileOf;
};

export const parked = nextRunState('queued', 'park');
export const noModel = 'no model configured';
const closed = 'closed by a person';
const answered = 'answered by a person';

/** Creates the inbox. */
export function createInbox(
	options: InboxStatusOptions & {
		readonly journal: Pick<Journal, 'finishRun' | 'claimInboxItem' | 'releaseInboxItem'>;
		readonly deliverAnswer: DeliverAnswer;
		/** Default: nobody waits for results. */
		readonly giveToCaller?: GiveToCaller;
	},
): Inbox {
	const {journal, deliverAnswer, giveToCaller, profileOf} = options;
	const ending = new AbortController();
	const endings = new Map<string, Promise<unknown>>();

	const need = async (runId: string): Promise<RunRow> => {
		const run = await journal.findRun(runId);
		if (run?.state !== parked) {
			throw unknownRun('No open inbox item has this id', runId);
		}

		// Somebody may do so at another gateway, too.
		if (!(await journal.claimInboxItem(runId))) {
			throw beingEnded(runId);
		}

		return run;
	};

	const finish = async (run: RunRow, end: ItemEnd) => {
		const state = nextRunState(run.state, 'close');
		// True, too, when the item ended together with the delivery of its answer.
		const isFinished = await journal.finishRun(run.id, itemEnd(run, end));
		// Another gateway has declared this one dead meanwhile, and somebody may have ended the item there.
		const stored = isFinished ? undefined : await journal.findRun(run.id);
		profileOf(run.profile).publish(stored ? runStored(stored) : runChanged(run, state, end));
	};

	const deliver = async (run: RunRow, text: string): Promise<string | undefined> => {
		const end = {reason: answered, answer: text};
		const delivery = await deliverAnswer(run, text, {
			signal: ending.signal,
			endOf(ended) {
				const reason = notDelivered(ended);
				return reason === undefined ? itemEnd(run, end) : {state: run.state, reason, result: {answer: text}};
			},
		});
		const reason = notDelivered(delivery);
		if (reason !== undefined) {
			journal.releaseInboxItem(run.id);
			// Another gateway may have ended the item because it took this one for dead.
			const stored = await journal.findRun(run.id).catch(() => undefined);
			const isEnded = stored !== undefined && stored.state !== parked;
			profileOf(run.profile).publish(isEnded ? runStored(stored) : runChanged(run, parked, {reason}));
			return reason;
		}

		await finish(run, end);
		return undefined;
	};

	/** Of two answers at once, or an answer and a closing, only the first is carried out. */
	const end = async <Result>(runId: string, step: (run: RunRow) => Promise<Result>): Promise<Result> => {
		if (endings.has(runId)) {
			throw beingEnded(runId);
		}

		const work = need(runId)
			.then(step)
			.finally(() => endings.delete(runId));
		endings.set(runId, work);
		return work;
	};

	return {
		...createInboxStatus(options),
		answer: (runId, text) => end(runId, run => deliver(run, text)),
		close: runId =>
			end(runId, async run => {
				await giveToCaller?.(run, {kind: 'silent'}, ending.signal);
				await finish(run, {reason: closed});
			}),
		async stop() {
			ending.abort(gatewayStopped);
			await Promise.allSettled(endings.values());
		},
	};
}

type ItemEnd = {readonly reason: string; readonly answer?: string};

function itemEnd({state}: RunRow, {reason, ...result}: ItemEnd): RunEnd {
	return {state: nextRunState(state, 'close'), reason, result};
}

/** The reason that an answered item stays open. */
function notDelivered(delivery: AnswerDelivery): string | undefined {
	switch (delivery.kind) {
		case 'failed':
			return `the answer was not delivered: ${delivery.reason}`;
		case 'uncertain':
			return `answered by a person: ${delivery.reason}`;
		case 'retrying':
			return answerWaits;
		case 'delivered':
		case 'silent':
		case 'shown':
			return undefined;
	}
}

function beingEnded(runId: string): Problem {
	return unknownRun('The inbox item is already being answered or closed', runId);
}

/** Creates the status. What cannot be published becomes a line in the log. */
function createInboxStatus({journal, clock, profileOf}: InboxStatusOptions): InboxStatus {
	const openItem = async (run: RunRecord): Promise<RunRow | undefined> => {
		const item = await journal.findRun(run.id);
		return item?.state === parked ? item : undefined;
	};

	const publishTools = async (run: RunRecord, asked: Promise<readonly string[]>) => {
		const allowedTools = await asked;
		const item = allowedTools.length === 0 ? undefined : await openItem(run);
		if (item) {
			profileOf(run.profile).publish(runChanged(item, parked, {reason: item.reason, allowedTools}));
		}
	};

	/** Waits one turn for the tools of an item, which halves the events in a flood of items. */
	const appear = async (run: RunRecord, reason: string, turn: Promise<undefined>) => {
		const {agent, publish} = profileOf(run.profile);
		const asked = agent.allowedTools(run);
		const known = await Promise.race([asked, turn]).catch(() => undefined);
		const allowedTools = known?.length === 0 ? undefined : known;
		if (known || (await openItem(run))) {
			publish(runAppeared(run, parked, {reason, startedAt: run.createdAt, allowedTools}));
		}

		if (!known) {
			await publishTools(run, asked);
		}
	};

	const report = (run: RunRecord) => (caught: unknown) =>
		reportProblem(profileOf(run.profile).publish, caught, `run ${run.id}`);

	return {
		show(parkedRuns) {
			const turn = new Promise<undefined>(resolve => {
				clock.soon(() => resolve(undefined));
			});
			parkedRuns.forEach(({run, reason}) => void appear(run, reason, turn).catch(report(run)));
		},
		showTools(runs) {
			for (const run of runs.filter(({state}) => state === parked)) {
				publishTools(run, profileOf(run.profile).agent.allowedTools(run)).catch(report(run));
			}
		},
	};
}
