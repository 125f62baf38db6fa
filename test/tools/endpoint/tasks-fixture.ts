import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {createInterface} from 'node:readline';
import {DatabaseSync} from 'node:sqlite';
import {onTestFinished} from 'vitest';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {callResult} from '../../../source/tools/endpoint/answer-call.ts';
import {createTaskService} from '../../../source/tools/endpoint/client-tasks.ts';
import {openEndpointListener} from '../../../source/tools/endpoint/endpoint-listener.ts';
import {serveStream} from '../../../source/tools/endpoint/serve-stream.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {isJsonObject} from '../../../source/util/json-text.ts';
import {Problem} from '../../../source/util/problem.ts';
import {journalLimits} from '../../helpers/journal-records.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openCallFixture, toolsOf} from '../call-fixture.ts';
import {token} from './endpoint-fixture.ts';

/** Meta of a request of the stateless era, from a client that takes tasks, or does not. */
function envelope(takesTasks: boolean) {
	return {
		'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientInfo': {name: 'codex', version: '1.0.0'},
		'io.modelcontextprotocol/clientCapabilities': takesTasks ? {extensions: {'io.modelcontextprotocol/tasks': {}}} : {},
	};
}

/** An answer; the tests look at it with the schemas of the extension. */
type Answer = {
	readonly result?: Record<string, unknown>;
	readonly error?: {readonly code: number; readonly message: string; readonly data?: unknown};
	/** The notifications of progress before it. */
	readonly notes?: number;
};

/** A client of the stateless era that speaks the Tasks extension over HTTP. */
export function taskClient(endpoint: URL, options: {readonly token?: string; readonly takesTasks?: boolean} = {}) {
	let id = 0;
	const request = async (method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Answer> => {
		const {name: tool, taskId} = params;
		const name = typeof tool === 'string' ? tool : typeof taskId === 'string' ? taskId : '';
		const {_meta: more, ...others} = params;
		const _meta = {...envelope(options.takesTasks ?? true), ...(isJsonObject(more) && more)};
		const answer = await fetch(endpoint, {
			method: 'POST',
			body: JSON.stringify({jsonrpc: '2.0', id: ++id, method, params: {...others, _meta}}),
			headers: {
				authorization: `Bearer ${options.token ?? token}`,
				accept: 'application/json, text/event-stream',
				'content-type': 'application/json',
				'mcp-protocol-version': '2026-07-28',
				'mcp-method': method,
				...(name !== '' && {'mcp-name': name}),
			},
			...(signal && {signal}),
		});
		const text = await answer.text();
		const data = text.startsWith('{') ? text : /^data: (\{.*"(?:result|error)":.*)$/mu.exec(text)?.[1];
		const notes = text.match(/notifications\/progress/gu)?.length ?? 0;
		return {...(JSON.parse(data ?? '{}') as Answer), notes};
	};

	return {
		request,
		call: (name: string, args: object = {path: 'notes.txt'}, signal?: AbortSignal) =>
			request('tools/call', {name, arguments: args}, signal),
		get: (taskId: string) => request('tasks/get', {taskId}),
		cancel: (taskId: string) => request('tasks/cancel', {taskId}),
		update: (taskId: string) => request('tasks/update', {taskId, inputResponses: {}}),
	};
}

/** Clients over HTTP and streams with tasks in a real journal. Time is that of the call fixture. */
export async function openTaskEndpoint({
	ttlMilliseconds = 86_400_000,
	...options
}: Parameters<typeof openCallFixture>[0] & {readonly ttlMilliseconds?: number} = {}) {
	const callOptions = openCallFixture(options);
	const {clock} = callOptions;
	const path = join(temporaryDirectory(), 'journal.db');
	const stored = openJournal({path, clock, limits: journalLimits({})});
	onTestFinished(() => stored.close());
	const problems: unknown[] = [];
	const journal = {fails: false};
	const base = toolsOf(callOptions, clock);
	const identity = 'identity';
	const service = createTaskService({
		clock,
		time: callOptions.time,
		journal: {
			...stored,
			async createTask(task) {
				if (journal.fails) {
					throw new Problem('storage_unavailable');
				}

				return stored.createTask(task);
			},
		},
		profile: 'default',
		ttlMilliseconds: () => ttlMilliseconds,
		clientOf: () => ({kind: 'admitted', identity, tools: base}),
		isToolMissing: () => true,
		resultOf: async ended => ({...callResult(ended, text => text)}),
		isShared: () => false,
		onProblem: caught => void problems.push(caught),
	});
	const tools = {...base, tasks: service.of({kind: 'token', name: 'default'}, identity)};
	const otherClient = 'the-token-of-the-other-client';
	const others = {...base, caller: {name: 'other'}, tasks: service.of({kind: 'token', name: 'other'}, identity)};
	const listener = await openEndpointListener(
		{
			rules: () => ({
				host: '127.0.0.1',
				clientsOf: () => [
					{key: 'default', token, tools},
					{key: 'other', token: otherClient, tools: others},
				],
				metrics: {kind: 'off'},
			}),
			metrics: async () => '',
			report: () => undefined,
			clock: systemClock,
		},
		{host: '127.0.0.1', port: 0},
	);
	onTestFinished(listener.close);
	const endpoint = new URL('/mcp', listener.url);
	return {
		...callOptions,
		endpoint,
		problems,
		journal,
		otherClient,
		client: taskClient(endpoint),
		/** Ends sessions and streams, and with them the calls whose caller is a connection. */
		closeConnections: () => listener.keep([]),
		/** A client over a pair of streams. */
		connectStream: () =>
			streamClient({...base, caller: {claim: undefined}, tasks: service.of({kind: 'claim', name: ''}, identity)}),
		/** The number of tasks in the journal. */
		rows() {
			const database = new DatabaseSync(path, {readOnly: true});
			const {count} = database.prepare('SELECT count(*) AS count FROM tasks').get() ?? {};
			database.close();
			return count;
		},
	};
}

function streamClient(tools: Parameters<typeof serveStream>[0]) {
	const input = new PassThrough();
	const output = new PassThrough();
	const controller = new AbortController();
	const served = serveStream(tools, {input, output}, {signal: controller.signal, report: () => undefined});
	onTestFinished(async () => {
		controller.abort();
		await served;
	});
	const waiting = new Map<number, (answer: Answer) => void>();
	createInterface({input: output}).on('line', line => {
		const message = JSON.parse(line) as Answer & {readonly id?: number};
		waiting.get(message.id ?? -1)?.(message);
	});
	let last = 0;
	return (method: string, params: Record<string, unknown>) =>
		new Promise<Answer>(resolve => {
			const id = ++last;
			waiting.set(id, resolve);
			input.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params: {...params, _meta: envelope(true)}})}\n`);
		});
}
