import {type GatewayHandlers} from '../../control/methods.ts';
import {callDetailToJson, callRowToJson, runDetailToJson, runToJson} from '../../control/run-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Redactor} from '../../util/redact.ts';
import {type HandlerContext, pendingOf} from './handler-context.ts';
import {runHistory} from '../pages/stored-events.ts';
import {storedTrace} from '../pages/trace.ts';

/** Calls and decisions that are shown with a run: they have to fit into one line of the control socket. */
const maxCalls = 200;
/** A run without an event is looked for among the newest deliveries. */
const maxDeliveries = 1000;

type StoredRuns = {
	readonly journal: Journal;
	readonly clock: Pick<Clock, 'now'>;
	readonly redactor: Pick<Redactor, 'partsOf' | 'redact'>;
	/** Approval requests that are open now; absent or empty without a running gateway. */
	readonly pending?: () => readonly ApprovalRequest[];
	/** Lists have its rows alone; absent: those of all profiles. */
	readonly profile?: string | undefined;
};

/** The stored runs and calls: the same through the socket and in a process of its own. */
export function storedRuns({
	journal,
	clock,
	redactor,
	profile,
	pending = () => [],
}: StoredRuns): Pick<GatewayHandlers, 'runs.list' | 'runs.show' | 'calls.list' | 'calls.show'> {
	const own = profile === undefined ? {} : {profile};
	return {
		'runs.list': async ({limit}) => redactedRows((await journal.listRuns({...own, limit})).map(runToJson), redactor),
		async 'runs.show'({id: typed}) {
			const id = await findNamedRow(journal, 'run', typed);
			const run = id === undefined ? undefined : await journal.findRun(id);
			if (!run) {
				return null;
			}

			const {calls, decisions} = await runHistory(run.id, maxCalls, {journal, redactor});
			const query = {limit: maxDeliveries, ...(run.eventId !== '' && {eventId: run.eventId})};
			const deliveries = (await journal.listMessages(query)).filter(({runId}) => runId === run.id);
			const trace = await storedTrace({kind: 'run', id: run.id}, run.profile, {
				journal,
				now: clock.now(),
				redactor,
				pending: pending(),
			});
			const progress = await journal.findRunProgress(run.id);
			return runDetailToJson(run, {progress, calls, decisions, deliveries, trace, redact: redactor.redact});
		},
		'calls.list': async ({limit}) =>
			(await journal.listCalls({...own, limit})).map(call => callRowToJson(call, redactor)),
		async 'calls.show'({id: typed}) {
			const id = await findNamedRow(journal, 'call', typed);
			const call = id === undefined ? undefined : await journal.findCall(id);
			return call ? callDetailToJson(call, await journal.findCallDecision(call.id), redactor) : null;
		},
	};
}

/** A reason may name what a server said. */
function redactedRows<Row extends {readonly reason: string | null}>(
	rows: readonly Row[],
	{redact}: Pick<Redactor, 'redact'>,
): Row[] {
	return rows.map(row => ({...row, reason: row.reason === null ? null : redact(row.reason)}));
}

type RunHandlers = Pick<
	GatewayHandlers,
	| 'runs.list'
	| 'runs.show'
	| 'runs.start'
	| 'runs.follow-up'
	| 'runs.cancel'
	| 'runs.note'
	| 'runs.answer'
	| 'runs.close'
	| 'calls.list'
	| 'calls.show'
>;

/** Runs and calls for the callers of a gateway. */
export function runHandlers(handlerContext: HandlerContext): RunHandlers {
	const {profile, journal, events, named, caller} = handlerContext;
	const {paths, clock, redactor} = profile.context;
	const pending = () => pendingOf(handlerContext);
	const {controller, inbox} = events.runs;
	const need = async (typed: string) => {
		// A console names whole ids, and hears from the run itself that there is none.
		if (caller.kind === 'console') {
			return typed;
		}

		const id = await findNamedRow(journal, 'run', typed);
		if (id === undefined) {
			throw new Problem('unknown_run', {
				message: `No run has the id ${safeText(typed, {maximumCharacters: 100})}`,
			});
		}

		return id;
	};

	return {
		...storedRuns({journal, clock, redactor, profile: named, pending}),
		'runs.start': async ({prompt}) => ({run_id: await controller.start(prompt, paths.profile)}),
		async 'runs.cancel'({id: typed}) {
			const id = await need(typed);
			await controller.cancel(id);
			return {run_id: id};
		},
		async 'runs.note'({id: typed, text}) {
			const id = await need(typed);
			return {run_id: id, note_id: await controller.note(id, {text, by: caller.name})};
		},
		async 'runs.answer'({id: typed, text}) {
			const id = await need(typed);
			const reason = await inbox.answer(id, text);
			return {run_id: id, reason: reason === undefined ? null : redactor.redact(reason)};
		},
		async 'runs.follow-up'({id, prompt}) {
			return {run_id: await controller.followUp(id, prompt)};
		},
		async 'runs.close'({id}) {
			await inbox.close(id);
			return {run_id: id};
		},
	};
}
