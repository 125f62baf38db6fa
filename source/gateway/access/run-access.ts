import {type ControlHandlers} from '../../control/methods.ts';
import {callDetailToJson, callRowToJson, runDetailToJson, runToJson, uncertainToJson} from '../../control/run-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {openConfiguredJournal} from '../journal/configured-journal.ts';
import {findNamedRow} from '../../journal/named-row.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Redactor} from '../../util/redact.ts';
import {loadProfile, type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';
import {runHistory} from '../stored-events.ts';
import {storedTrace} from '../trace.ts';
import {type WebhookService} from '../webhook-service.ts';

/** Calls and decisions that are shown with a run: they have to fit into one line of the control socket. */
const mostCalls = 200;
/** A run without an event is looked for among the newest deliveries. */
const mostDeliveries = 1000;
const mostUncertain = 500;

type StoredRuns = {
	readonly journal: Journal;
	readonly clock: Pick<Clock, 'now'>;
	readonly redactor: Pick<Redactor, 'partsOf' | 'redact'>;
	/** What waits for a person now; nothing where no gateway runs. */
	readonly pending?: () => readonly ApprovalRequest[];
	/** Lists have its rows alone; absent: those of all profiles. */
	readonly profile?: string | undefined;
};

/** The stored runs and calls: the same through the socket and in a process of its own. */
function storedRuns({journal, clock, redactor, profile, pending = () => []}: StoredRuns) {
	const own = profile === undefined ? {} : {profile};
	return {
		runs: async ({limit}: {readonly limit: number}) =>
			redactedRows((await journal.listRuns({...own, limit})).map(runToJson), redactor),
		async run(typed: string) {
			const id = await findNamedRow(journal, 'run', typed);
			const run = id === undefined ? undefined : await journal.findRun(id);
			if (!run) {
				return null;
			}

			const {calls, decisions} = await runHistory(run.id, mostCalls, {journal, redactor});
			const query = {limit: mostDeliveries, ...(run.eventId !== '' && {eventId: run.eventId})};
			const deliveries = (await journal.listAnswers(query)).filter(({runId}) => runId === run.id);
			const trace = await storedTrace({kind: 'run', id: run.id}, run.profile, {
				journal,
				now: clock.now(),
				redactor,
				pending: pending(),
			});
			return runDetailToJson(run, {calls, decisions, deliveries, trace, redact: redactor.redact});
		},
		calls: async ({limit}: {readonly limit: number}) =>
			(await journal.listCalls({...own, limit})).map(call => callRowToJson(call, redactor)),
		async call(typed: string) {
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

/** Opens the journal of the state directory in this process, for one command. Lists have the rows of `profile` alone; without one, those of all. */
export async function openRunAccess(runtime: RuntimeContext, profile?: string) {
	const context = await loadProfile(runtime);
	const {paths, clock, redactor} = context;
	const journal = await openConfiguredJournal(context);
	return {
		...storedRuns({journal, clock, redactor, profile}),
		uncertain: async () => {
			const query = {profile: paths.profile, begunBefore: clock.now(), limit: mostUncertain};
			return (await journal.listUncertainCalls(query)).map(one => uncertainToJson(one, redactor, 'row'));
		},
		close: journal.close,
	};
}

type RunMethods = Pick<
	ControlHandlers,
	'runs.list' | 'runs.show' | 'runs.start' | 'runs.cancel' | 'runs.answer' | 'calls.list' | 'calls.show'
>;

/** Runs and calls for callers of the control socket. */
export function runMethods(
	{paths, clock, redactor}: Pick<ProfileContext, 'paths' | 'clock' | 'redactor'>,
	{
		journal,
		events,
		named,
		pending,
	}: {
		readonly journal: Journal;
		readonly events: Pick<WebhookService, 'runs'>;
		readonly named: string | undefined;
		readonly pending: () => readonly ApprovalRequest[];
	},
): RunMethods {
	const stored = storedRuns({journal, clock, redactor, profile: named, pending});
	const {controller, inbox} = events.runs;
	const need = async (typed: string) => {
		const id = await findNamedRow(journal, 'run', typed);
		if (id === undefined) {
			throw new Problem('unknown_run', {
				message: `There is no run with the id ${safeText(typed, {maximumCharacters: 100})}`,
			});
		}

		return id;
	};

	return {
		'runs.list': stored.runs,
		'runs.show': ({id}) => stored.run(id),
		'runs.start': async ({prompt}) => ({run_id: await controller.start(prompt, paths.profile)}),
		async 'runs.cancel'({id: typed}) {
			const id = await need(typed);
			await controller.cancel(id);
			return {run_id: id};
		},
		async 'runs.answer'({id: typed, text}) {
			const id = await need(typed);
			const reason = await inbox.answer(id, text);
			return {run_id: id, reason: reason === undefined ? null : redactor.redact(reason)};
		},
		'calls.list': stored.calls,
		'calls.show': ({id}) => stored.call(id),
	};
}
