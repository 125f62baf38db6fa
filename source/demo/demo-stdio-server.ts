import {serveStdio} from '@modelcontextprotocol/server/stdio';
import {createGardenServer} from './garden-server.ts';
import {createTaskBoard} from './task-board.ts';

// A program of its own: the gateway starts it as a tool server over stdio. It ends when its input does.
const board = createTaskBoard();
serveStdio(() => createGardenServer(board));
