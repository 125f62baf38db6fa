import {type Connection} from '../mcp/connection.ts';

export type Window = Connection;
