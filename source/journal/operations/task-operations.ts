import {
	type NewTask,
	type TaskChange,
	type TaskEnd,
	type TaskName,
	type TaskQuery,
	type TaskRow,
	type TaskCancellation,
} from '../rows/task-rows.ts';
import {type TimeLeft} from '../rows/request-rows.ts';
import {awaited, claimed, end, read, retried, type Waiting} from './operation.ts';

/** Calls that clients of the endpoint were handed as tasks (docs/endpoint.md, Tasks). */
export const taskOperations = {
	/** Resolves with the time at which it was made once it is on disk, so that its id may be handed out. One that is reported as failed may be there: `removeTask` removes it. */
	createTask: awaited<(task: NewTask) => number>(),
	/** Resolves before the call of a task may be sent; with false it may not. Waits for a journal that is away, up to `journal.patience`. */
	beginTask: claimed<
		(id: string, callId: string, waiting?: Waiting) => boolean,
		(id: string, callId: string) => boolean
	>({
		encode: (id, callId) => [id, callId],
		claim: (_id, _callId, {signal} = {}) => ({signal, wait: 'patience'}),
	}),
	releaseTask: end<(id: string) => void>(),
	changeTask: end<(id: string, change: TaskChange) => void>(),
	/** The time of a task of this gateway begins to run, or stands still. */
	setTaskTime: retried<(id: string, left: TimeLeft) => void>(),
	endTask: end<(id: string, ended: TaskEnd) => void>(),
	removeTask: end<(id: string) => void>(),
	/** Takes over the tasks of gateways that are gone. */
	takeTasks: awaited<(query: TaskQuery) => readonly TaskRow[]>(),
	/** Rejects while no journal is open: none would say that there is no such task. */
	findTask: read<(name: TaskName) => TaskRow | undefined>(),
	/** Ends a task for its client; false when it has no such task. */
	cancelTask: awaited<(name: TaskName) => boolean>(),
	/** The tasks of this gateway that were ended at another one. */
	listCancelledTasks: read<(profile: string) => readonly TaskCancellation[]>({whenClosed: []}),
};
