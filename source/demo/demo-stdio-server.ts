import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {createGardenServer, createTaskList} from './garden-server.ts';

// A separate program: the gateway starts it as a tool server over stdio. It exits when its input ends.
const tasks = createTaskList();
serveStdio(() => createGardenServer(tasks));
