import {
	CLIENT_CAPABILITIES_META_KEY,
	ProtocolError,
	ProtocolErrorCode,
	type Server,
} from '@modelcontextprotocol/server';
import {z} from 'zod';
import {type TaskRow} from '../../journal/rows/task-rows.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type ClientTasks} from './client-tasks.ts';
import {type EndpointTools} from './endpoint-tools.ts';
import {endpointLimits} from './limits.ts';

/**
The Tasks extension of MCP 2026-07-28 as the endpoint speaks it (SEP-2663; https://github.com/modelcontextprotocol/ext-tasks, specification/draft/tasks.md):
`CreateTaskResult` in place of the result of a call, `tasks/get`, `tasks/update` and `tasks/cancel`. No task asks its client for input, and status
notifications, which a server may send, are not.
*/
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const declaration = z.object({
	[CLIENT_CAPABILITIES_META_KEY]: z.object({extensions: z.object({[tasksExtension]: z.looseObject({})})}),
});

/** True if a request of the stateless era says in its `_meta` that its client can deal with tasks: each request has to say so. */
export function declaresTasks(meta: unknown): boolean {
	return declaration.safeParse(meta).success;
}

/** `CreateTaskResult` of the extension. Times are ISO 8601. */
export type CreatedTask = {
	readonly resultType: 'task';
	readonly taskId: string;
	readonly status: 'working';
	readonly statusMessage: string;
	readonly createdAt: string;
	readonly lastUpdatedAt: string;
	/** Null while everything is held: SEP-2663 has it for a lifetime without a bound. */
	readonly ttlMs: number | null;
	readonly pollIntervalMs: number;
};

/** The result of a call that became a task. */
export function createTaskResult(task: {
	readonly id: string;
	readonly createdAt: number;
	readonly ttlMilliseconds: number | null;
}): CreatedTask {
	const {id, createdAt, ttlMilliseconds} = task;
	return {
		resultType: 'task',
		taskId: id,
		status: 'working',
		statusMessage: 'Waiting for a person',
		createdAt: isoTime(createdAt),
		lastUpdatedAt: isoTime(createdAt),
		ttlMs: ttlMilliseconds,
		pollIntervalMs: endpointLimits.taskPollMilliseconds,
	};
}

/** A task with its result or error, as `tasks/get` returns it. */
function detailedTask({id, state, createdAt, changedAt, expiresAt, outcome = {}, message}: TaskRow): JsonObject {
	return {
		taskId: id,
		createdAt: isoTime(createdAt),
		lastUpdatedAt: isoTime(changedAt),
		ttlMs: expiresAt === null ? null : expiresAt - createdAt,
		pollIntervalMs: endpointLimits.taskPollMilliseconds,
		...(message !== undefined && {statusMessage: message}),
		...statusOf(state, outcome),
	};
}

function statusOf(state: TaskRow['state'], outcome: JsonObject): JsonObject {
	switch (state) {
		case 'waiting':
			return {status: 'working', statusMessage: 'Waiting for a person'};
		case 'begun':
			return {status: 'working', statusMessage: 'The call is under way'};
		case 'completed':
			return {status: state, result: outcome};
		case 'failed':
			return {status: state, error: outcome};
		case 'cancelled':
			return {status: state};
	}
}

function isoTime(milliseconds: number): string {
	return new Date(milliseconds).toISOString();
}

const named = z.looseObject({taskId: z.string().max(200)});

/** Adds the methods of the extension to a server of the stateless era. */
export function serveTasks(server: Server, {tasks}: Pick<EndpointTools, 'tasks'>): void {
	if (!tasks) {
		return;
	}

	const handle = (
		method: 'tasks/get' | 'tasks/update' | 'tasks/cancel',
		run: (task: FoundTask) => Promise<JsonObject>,
	) =>
		server.setRequestHandler(method, {params: named, result: z.looseObject({})}, async ({taskId}, {mcpReq}) => {
			if (!declaresTasks(mcpReq.envelope)) {
				throw new ProtocolError(missing.code, missing.message, missing.data);
			}

			return run({tasks, id: taskId});
		});
	handle('tasks/get', async ({id}) => detailedTask(found(await tasks.find(id))));
	// No task has asked for input: responses to what is not outstanding are ignored.
	handle('tasks/update', async ({id}) => {
		found(await tasks.find(id));
		return {};
	});
	handle('tasks/cancel', async ({id}) => {
		found((await tasks.cancel(id)) || undefined);
		return {};
	});
}

/** A task that a request names. */
type FoundTask = {readonly tasks: ClientTasks; readonly id: string};

/** MCP 2026-07-28, MissingRequiredClientCapability. */
const missing = {
	code: -32_021,
	message: 'Missing required client capability',
	data: {requiredCapabilities: {extensions: {[tasksExtension]: {}}}},
} as const;

const listening = z.object({
	id: z.union([z.string(), z.number()]),
	method: z.literal('subscriptions/listen'),
	params: z.object({notifications: z.object({taskIds: z.array(z.unknown())}), _meta: z.unknown()}),
});

/** The answer to a subscription to tasks by a client that does not declare them. The library leaves tasks out of every subscription, and refuses none for it. */
export function refusedSubscription(message: unknown): Response | undefined {
	const {data} = listening.safeParse(message);
	return data && !declaresTasks(data.params._meta)
		? Response.json({jsonrpc: '2.0', id: data.id, error: missing}, {status: 400})
		: undefined;
}

function found<Found>(value: Found | undefined): Found {
	if (value === undefined) {
		throw new ProtocolError(
			ProtocolErrorCode.InvalidParams,
			'Task not found: it has expired, or is not one of this client',
		);
	}

	return value;
}
