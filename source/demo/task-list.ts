/** One thing to do in the garden. */
export type Task = {readonly id: number; readonly title: string; readonly bed: string};

/** The tasks of a garden, kept in memory only. */
export type TaskList = {
	readonly list: () => readonly Task[];
	/** Undefined when the status list is full. */
	readonly add: (task: Omit<Task, 'id'>) => Task | undefined;
	/** Undefined when there is no such task. */
	readonly remove: (id: number) => Task | undefined;
};

const mostTasks = 100;

const firstTasks: ReadonlyArray<Omit<Task, 'id'>> = [
	{title: 'Water the tomatoes', bed: 'greenhouse'},
	{title: 'Thin the carrots', bed: 'north bed'},
	{title: 'Tie up the sweet peas', bed: 'fence'},
];

/** A list with a morning's work on it. */
export function createTaskList(): TaskList {
	const tasks = new Map<number, Task>();
	let lastId = 0;

	const add = (task: Omit<Task, 'id'>): Task | undefined => {
		if (tasks.size >= mostTasks) {
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

/** A task in a line. */
export function taskLine(task: Task): string {
	return `#${task.id} ${task.title} (${task.bed})`;
}
