import {randomBytes} from 'node:crypto';
import {type WaitingTime} from '../../approvals/waiting-time.ts';
import {type Journal} from '../../journal/journal.ts';
import {type TaskClient, type TaskRow} from '../../journal/rows/task-rows.ts';
import {atMost, type Clock} from '../../util/clock.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {repeat} from '../../util/repeat.ts';
import {type CallTool, type ToolCall} from '../call-tool.ts';
import {type RegisteredTool} from '../registered-tool.ts';
import {evaluateTask, type EvaluationOptions, subjectOf} from './evaluate-task.ts';
import {endByJournal, endOfTask, type ResultOf} from './task-end.ts';
import {type CallWatch, createTaskRun, type EndedCall, type TaskRun, type TaskRunOptions} from './task-run.ts';

/** The call of a client has ended, or was handed over as a task. */
type ClientCallEnd =
	| ({readonly kind: 'ended'} & EndedCall)
	| (Pick<TaskRow, 'id' | 'createdAt'> & {
			readonly kind: 'task';
			/** Null while everything is held. */
			readonly ttlMilliseconds: number | null;
	  });

/** A call that may become a task: its tool is there, and its arguments are JSON. */
type TaskableCall = ToolCall & {readonly arguments: JsonObject; readonly tool: RegisteredTool};

/** The tasks of one client of the endpoint (docs/endpoint.md, Tasks; SEP-2663). */
export type ClientTasks = {
	/** Makes a call, which becomes a task when a person takes long. The signal aborts it until then. */
	readonly call: (
		callTool: CallTool,
		call: TaskableCall,
		options: CallWatch & {readonly signal: AbortSignal},
	) => Promise<ClientCallEnd>;
	/** Undefined for a task that this client does not have. Rejects with `storage_unavailable`. */
	readonly find: (id: string) => Promise<TaskRow | undefined>;
	/** False for a task that this client does not have. Rejects with `storage_unavailable`. */
	readonly cancel: (id: string) => Promise<boolean>;
};

/** The tasks of a profile. */
export type TaskService = {
	/** The tasks of a client; `identity` is that of `AdmittedClient`. */
	readonly of: (client: TaskClient, identity: string) => ClientTasks;
	/** The clients may be others now: the tasks of those that were removed end, and those of changed ones are evaluated again. */
	readonly clientsChanged: () => void;
	/** These servers were removed or have another entry: tasks that wait for calls of theirs are evaluated again. */
	readonly serversChanged: (servers: readonly string[]) => void;
	/** Takes over tasks that no living gateway has. Rejects with `storage_unavailable`. */
	readonly recover: () => Promise<void>;
	/** Leaves the tasks to the next start, or to another gateway; calls that were sent have a few seconds for their answer. */
	readonly close: () => Promise<void>;
};

export type TaskServiceOptions = EvaluationOptions & {
	readonly clock: Clock;
	/** The time of the tasks. */
	readonly time: WaitingTime;
	readonly journal: TaskRunOptions['journal'] &
		Pick<
			Journal,
			'endTask' | 'takeTasks' | 'findTask' | 'cancelTask' | 'listCancelledTasks' | 'findCall' | 'endRequest'
		>;
	readonly profile: string;
	readonly ttlMilliseconds: () => number;
	readonly resultOf: ResultOf;
	/** True while other gateways may share the journal. */
	readonly isShared: () => boolean;
	/** Called when a task cannot be read or written. */
	readonly onProblem: (caught: unknown) => void;
};

/** SEP-2663, Security Considerations: "sufficient entropy that a third party cannot enumerate or guess them". */
const idBytes = 16;
/** A call that was sent has so long for its answer when the gateway stops. */
const stopMilliseconds = 10_000;
/** A call that is aborted ends within this; a client that cancels waits no longer for it. */
const abortMilliseconds = 1000;
const pollMilliseconds = 2000;
const cancelledByClient = 'The client cancelled the task';

/** A run with the client that it was evaluated for, and its end. */
type OpenRun = {readonly run: TaskRun; identity: string; readonly over: Promise<void>};

/** Creates the tasks of a profile; none is taken over before `recover`. */
export function createTaskService(options: TaskServiceOptions): TaskService {
	const {journal, profile, clock} = options;
	const runs = createOpenRuns(options);
	const polls = repeat({
		clock,
		firstMilliseconds: pollMilliseconds,
		everyMilliseconds: pollMilliseconds,
		async work() {
			if (options.isShared() && runs.all().length > 0) {
				// Another gateway has ended them for their clients.
				const ended = await journal.listCancelledTasks(profile).catch(() => []);
				ended.forEach(({id}) => runs.find(id)?.run.cancel(cancelledByClient));
			}
		},
	});

	return {
		of: (client, identity) => ({
			call: (callTool, call, watch) => callAs(client, {identity, callTool, call, watch}, {options, runs}),
			find: id => journal.findTask({id, profile, client}),
			async cancel(id) {
				const here = runs.find(id);
				if (here?.run.phase() !== 'handed-over' || !isSame(here.run.client, client)) {
					return journal.cancelTask({id, profile, client});
				}

				here.run.cancel(cancelledByClient);
				await atMost(abortMilliseconds, here.over, clock);
				return true;
			},
		}),
		clientsChanged() {
			for (const {run, identity} of runs.handedOver()) {
				const client = options.clientOf(run.client);
				if (client.kind === 'removed') {
					run.cancel('The client of the task was removed');
				} else if (client.kind === 'admitted' && client.identity !== identity) {
					run.interrupt('again');
				}
			}
		},
		serversChanged(servers) {
			const waiting = runs.handedOver().filter(({run}) => servers.includes(run.call.server));
			waiting.forEach(({run}) => run.interrupt('again'));
		},
		recover: () => recoverTasks(options, runs),
		async close() {
			const left = runs.close();
			left.forEach(({run}) => run.interrupt('left'));
			const over = Promise.all(left.map(one => one.over));
			await polls.stop();
			await atMost(stopMilliseconds, over, clock);
			left.forEach(({run}) => run.abort());
			await atMost(abortMilliseconds, over, clock);
		},
	};
}

function isSame(one: TaskClient, other: TaskClient): boolean {
	return one.kind === other.kind && one.name === other.name;
}

type OpenRuns = ReturnType<typeof createOpenRuns>;

/** The runs of a profile that are not over. */
function createOpenRuns(options: TaskServiceOptions) {
	const {journal, resultOf, onProblem} = options;
	const runs = new Map<string, OpenRun>();
	let phase: 'open' | 'closed' = 'open';

	/** Evaluates a task until it has ended or is left to others. */
	const goOn = async (run: TaskRun, first: EndedCall | undefined) => {
		for (let known = first; ; known = undefined) {
			const ended = known ?? (await evaluateTask(run, options, (identity, voided) => evaluated(run, identity, voided)));
			const next = run.settle(ended);
			if (next === 'ended') {
				journal.endTask(run.id, await endOfTask(ended, run.cancelled(), resultOf));
			}

			if (next !== 'again') {
				return;
			}
		}
	};

	const evaluated = ({id}: TaskRun, identity: string, voided: string | undefined) => {
		const open = runs.get(id);
		if (open) {
			open.identity = identity;
		}

		if (voided !== undefined && options.isShared()) {
			journal.endRequest(voided, {kind: 'cancelled'});
		}
	};

	return {
		find: (id: string) => runs.get(id),
		all: () => [...runs.values()],
		handedOver: () => [...runs.values()].filter(({run}) => run.phase() === 'handed-over'),
		isClosed: () => phase === 'closed',
		/** Follows a run to its end: one that begins here by its first attempt. */
		open(run: TaskRun, identity: string, first?: Promise<EndedCall>) {
			const live = async () => {
				const ended = await first;
				if (run.phase() === 'handed-over') {
					await goOn(run, ended);
				}
			};
			const over = live()
				.catch(onProblem)
				.finally(() => {
					run.close();
					runs.delete(run.id);
				});
			runs.set(run.id, {run, identity, over});
		},
		/** Returns those that are left to others. */
		close() {
			phase = 'closed';
			return [...runs.values()].filter(({run}) => run.phase() === 'handed-over');
		},
	};
}

/** Makes the call of a client, and answers it as soon as it has ended or is a task. */
async function callAs(
	client: TaskClient,
	{
		identity,
		callTool,
		call: {tool, ...call},
		watch: {signal, ...watch},
	}: {
		readonly identity: string;
		readonly callTool: CallTool;
		readonly call: TaskableCall;
		readonly watch: CallWatch & {readonly signal: AbortSignal};
	},
	{options, runs}: {readonly options: TaskServiceOptions; readonly runs: OpenRuns},
): Promise<ClientCallEnd> {
	const {name, arguments: args, origin} = call;
	const ttlMilliseconds = options.ttlMilliseconds();
	const run = createTaskRun({
		...options,
		id: randomBytes(idBytes).toString('hex'),
		client,
		call: {name, server: tool.server, arguments: args, program: origin.kind === 'endpoint' ? origin.client : ''},
		subject: subjectOf(tool, args, identity),
		ttlMilliseconds,
	});
	const cut = () => run.cut(signal.reason);
	if (signal.aborted) {
		cut();
	}

	signal.addEventListener('abort', cut, {once: true});
	const ended = run.attempt(callTool, call, watch);
	runs.open(run, identity, ended);
	try {
		return await Promise.race([
			ended.then(one => ({kind: 'ended', ...one}) as const),
			run.handedOver.then(
				createdAt =>
					({
						kind: 'task',
						id: run.id,
						createdAt,
						ttlMilliseconds: options.time.state() === 'running' ? ttlMilliseconds : null,
					}) as const,
			),
		]);
	} finally {
		signal.removeEventListener('abort', cut);
	}
}

/** Takes over tasks that no living gateway has. One whose call may have been sent ends with what the journal knows of it. */
async function recoverTasks(options: TaskServiceOptions, runs: OpenRuns): Promise<void> {
	const {journal, profile, resultOf} = options;
	if (runs.isClosed()) {
		return;
	}

	const known = runs.all().map(({run}) => run.id);
	for (const row of await journal.takeTasks({profile, known})) {
		const {id, client, call, approval, left} = row;
		if (row.state === 'begun' && row.isCallKnown && row.callId !== undefined) {
			const made = await journal.findCall(row.callId);
			if (!made) {
				throw new Problem('storage_unavailable');
			}

			journal.endTask(id, await endOfTask(endByJournal(made), undefined, resultOf));
		} else if (!runs.find(id)) {
			if (row.state === 'begun') {
				journal.releaseTask(id);
			}

			const taken = {approval, left};
			const run = createTaskRun({...options, id, client, call, subject: call.subject, ttlMilliseconds: 0, taken});
			runs.open(run, '');
		}
	}
}
