import {type CallToolResult, McpServer} from '@modelcontextprotocol/server';
import {z} from 'zod';

/** One thing to do in the garden. */
type Task = {readonly id: number; readonly title: string; readonly bed: string};

/** The tasks of a garden, in memory only. */
type TaskList = {
	readonly list: () => readonly Task[];
	/** Undefined when the list is full. */
	readonly add: (task: Omit<Task, 'id'>) => Task | undefined;
	/** Undefined when there is no such task. */
	readonly remove: (id: number) => Task | undefined;
};

const shortText = z.string().min(1).max(200);

/** A tool server for a garden's task list: one tool each to read, add and delete. */
export function createGardenServer(tasks: TaskList): McpServer {
	const server = new McpServer({name: 'garden', title: 'Garden tasks', version: '1.0.0'});

	server.registerTool(
		'list_tasks',
		{
			title: 'List tasks',
			description: 'All open garden tasks.',
			inputSchema: z.object({}),
			annotations: {readOnlyHint: true, openWorldHint: false},
		},
		() => text(tasks.list().map(taskLine).join('\n') || 'Nothing to do.'),
	);

	server.registerTool(
		'add_task',
		{
			title: 'Add a task',
			description: 'Puts a new task on the garden board.',
			inputSchema: z.object({title: shortText, bed: shortText.default('garden')}),
			annotations: {readOnlyHint: false, destructiveHint: false, openWorldHint: false},
		},
		task => {
			const added = tasks.add(task);
			return added ? text(`Added ${taskLine(added)}`) : failure('The list is full.');
		},
	);

	server.registerTool(
		'delete_task',
		{
			title: 'Delete a task',
			description: 'Takes a task off the garden board for good.',
			inputSchema: z.object({id: z.int()}),
			annotations: {readOnlyHint: false, destructiveHint: true, openWorldHint: false},
		},
		({id}) => {
			const removed = tasks.remove(id);
			return removed ? text(`Deleted ${taskLine(removed)}`) : failure(`There is no task ${id}.`);
		},
	);

	return server;
}

function text(value: string): CallToolResult {
	return {content: [{type: 'text', text: value}]};
}

function failure(value: string): CallToolResult {
	return {...text(value), isError: true};
}

const maxTasks = 100;

const firstTasks: ReadonlyArray<Omit<Task, 'id'>> = [
	{title: 'Water the tomatoes', bed: 'greenhouse'},
	{title: 'Thin the carrots', bed: 'north bed'},
	{title: 'Tie up the sweet peas', bed: 'fence'},
];

/** Creates a list with a few tasks. */
export function createTaskList(): TaskList {
	const tasks = new Map<number, Task>();
	let lastId = 0;

	const add = (task: Omit<Task, 'id'>): Task | undefined => {
		if (tasks.size >= maxTasks) {
			return undefined;
		}

		lastId++;
		const added = {id: lastId, ...task};
		tasks.set(lastId, added);
		return added;
	};

	firstTasks.forEach(add);
	return {
		list: () => [...tasks.values()],
		add,
		remove(id) {
			const task = tasks.get(id);
			tasks.delete(id);
			return task;
		},
	};
}

/** A task as one line. */
function taskLine(task: Task): string {
	return `#${task.id} ${task.title} (${task.bed})`;
}
