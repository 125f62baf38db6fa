import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {createGardenServer} from './garden-server.ts';
import {createTaskList} from './task-list.ts';

// A program of its own: the gateway starts it as a tool server over stdio. It ends when its input does.
const tasks = createTaskList();
serveStdio(() => createGardenServer(tasks));
