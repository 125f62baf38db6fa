import {fileURLToPath} from 'node:url';

/** The demo's tool server over stdio: `list_tasks` only reads, `add_task` writes, `delete_task` destroys. Three tasks are there from the start. */
export const garden = {
	command: process.execPath,
	args: [fileURLToPath(new URL('../../dist/demo-stdio-server.js', import.meta.url))],
	trust: 'untrusted',
};

/** A call that writes, as typed behind `sluice`. */
export const addTask = ['mcp', 'call', 'mcp__garden__add_task', '--args', '{"title":"Mow the lawn"}'];

/** A call that only reads. */
export const listTasks = ['mcp', 'call', 'mcp__garden__list_tasks'];
