/*
One client of `npm run bench:endpoint`, in a process of its own: the first SDK over HTTP, over HTTP with an event stream or over stdio, or the
second SDK in the stateless era. `endpoint-caller.ts <client> <address> [token]`; over stdio the address is a program.
*/
import {setTimeout as wait} from 'node:timers/promises';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {Client as FirstClient} from '@modelcontextprotocol/sdk/client/index.js';
import {SSEClientTransport} from '@modelcontextprotocol/sdk/client/sse.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport as FirstHttpTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {type Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import type {CallerKind} from './endpoint-peers.ts';
import {type EchoCall, takeOrders} from './measure-calls.ts';

type Tools = {
	readonly listTools: () => Promise<{readonly tools: ReadonlyArray<{readonly name: string}>}>;
	readonly callTool: (params: {name: string; arguments: Record<string, unknown>}) => Promise<Record<string, unknown>>;
};

const [kind = '', address = '', token = 'none'] = process.argv.slice(2);
const requestInit = {headers: {authorization: `Bearer ${token}`}};
const client = {name: 'bench', version: '1.0.0'};

function firstTransport(): Transport {
	switch (kind as CallerKind) {
		case 'first-stdio':
			return new StdioClientTransport({command: process.execPath, args: [address, 'stdio']});
		case 'first-sse':
			return new SSEClientTransport(new URL(address), {requestInit});
		case 'first':
		case 'second':
			return new FirstHttpTransport(new URL(address), {requestInit});
	}
}

async function connect(): Promise<Tools> {
	if (kind === 'second') {
		const second = new Client(client, {versionNegotiation: {mode: {pin: '2026-07-28'}}});
		await second.connect(new StreamableHTTPClientTransport(new URL(address), {requestInit}));
		return {listTools: () => second.listTools(), callTool: params => second.callTool(params)};
	}

	const first = new FirstClient(client);
	await first.connect(firstTransport());
	return {listTools: () => first.listTools(), callTool: params => first.callTool(params)};
}

/** The name under which a gateway offers `echo`; it may still be connecting to its server. */
async function echoName(tools: Tools): Promise<string> {
	for (let attempt = 0; attempt < 200; attempt++) {
		const listed = await tools.listTools();
		const found = listed.tools.find(({name}) => name.endsWith('echo'));
		if (found) {
			return found.name;
		}

		await wait(100);
	}

	throw new Error(`No echo at ${address}`);
}

const tools = await connect();
const name = await echoName(tools);
const call: EchoCall = async text => {
	const {content, isError} = await tools.callTool({name, arguments: {text}});
	const [block] = content as ReadonlyArray<{readonly text?: string}>;
	if (isError || block?.text !== text) {
		throw new Error(`${address} answered ${JSON.stringify(content)}`);
	}
};

process.once('disconnect', () => process.exit());
takeOrders(call);
