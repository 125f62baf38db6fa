import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {createGardenServer, createTaskList} from './garden-server.ts';

// A program of its own: the gateway starts it as a tool server over stdio. It ends when its input does.
const tasks = createTaskList();
serveStdio(() => createGardenServer(tasks));
