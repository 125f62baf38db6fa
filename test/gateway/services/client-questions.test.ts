import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {
	Client,
	type ElicitRequestParams,
	type ElicitResult,
	StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import {Client as FirstClient} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport as FirstHttpTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {ElicitRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const asks = (era: string, more: object = {}) => ({
	command: process.execPath,
	args: fixtureArguments('mcp-asking.ts', era),
	trust: 'full',
	...more,
});
const url = {elicitation: {url: true}};
const servers = {
	old: asks('legacy', url),
	forms: asks('legacy'),
	// It knows the newer era alone.
	new: asks('stateless', {...url, protocol: 'stateless'}),
};
const form = {
	method: 'elicitation/create',
	params: {
		mode: 'form',
		message: 'Where to?',
		requestedSchema: {
			type: 'object',
			properties: {
				city: {type: 'string', minLength: 2, title: 'City'},
				meal: {type: 'string', oneOf: [{const: 'v', title: 'Vegetarian'}], default: 'v'},
			},
			required: ['city'],
		},
	},
};
const page = {
	method: 'elicitation/create',
	params: {mode: 'url', message: 'Log in', url: 'https://example.com/login', elicitationId: 'p1'},
};

/** A gateway with a console and two clients: only `asked` has questions put to it. */
async function open() {
	const root = temporaryDirectory();
	writeFileSync(
		join(root, '.env'),
		'SLUICE_ENDPOINT_TOKEN=token-of-the-endpoint\nASKED=token-of-the-asked\nOTHER=token-of-the-other\n',
	);
	const clients = {asked: {token: '${ASKED}', elicitation: true}, other: {token: '${OTHER}'}};
	const running = await runGateway(
		JSON.stringify({mcp_servers: servers, gateway: {endpoint: {port: 0, clients}}}),
		root,
	);
	running.gateway.openDecidingConsole();
	const listening = await running.eventWhere(event => event.type === 'endpoint.state' && event.state === 'listening');
	const questions = () => running.events.filter(({type}) => type === 'question.asked');
	return {...running, questions, endpoint: new URL(listening.type === 'endpoint.state' ? (listening.url ?? '') : '')};
}

type Way = 'the first SDK' | 'the older era' | 'the newer era';
const ways: readonly Way[] = ['the first SDK', 'the older era', 'the newer era'];
type Answer = (params: ElicitRequestParams) => ElicitResult;
type Caller = {
	readonly call: (server: string, tool: string, args?: JsonObject) => Promise<unknown>;
	readonly finished: string[];
};

/** A client that answers each question as `answer` says; without one it declares nothing. */
async function connect(
	endpoint: URL,
	way: Way,
	{
		token = 'token-of-the-asked',
		answer,
		declared = {form: {}, url: {}},
	}: {
		readonly token?: string;
		readonly answer?: Answer | 'cannot';
		readonly declared?: {form?: Record<string, never>; url?: Record<string, never>};
	} = {},
): Promise<Caller> {
	const requestInit = {headers: {authorization: `Bearer ${token}`}};
	const capabilities = answer ? {elicitation: declared} : {};
	const finished: string[] = [];
	const textOf = (result: unknown) => {
		const {content, isError} = result as {content: ReadonlyArray<{text: string}>; isError?: boolean};
		return isError ? {isError, text: content[0]?.text} : (JSON.parse(content[0]?.text ?? '') as unknown);
	};
	const named = (server: string, tool: string, args: JsonObject = {}) => ({
		name: `mcp__${server}__${tool}`,
		arguments: args,
	});
	if (way === 'the first SDK') {
		const client = new FirstClient({name: 'first', version: '1'}, {capabilities});
		onTestFinished(() => client.close());
		if (answer && answer !== 'cannot') {
			client.setRequestHandler(ElicitRequestSchema, async ({params}) => answer(params));
		}

		await client.connect(new FirstHttpTransport(endpoint, {requestInit}));
		return {finished, call: async (...call) => textOf(await client.callTool(named(...call)))};
	}

	const mode = way === 'the older era' ? 'legacy' : ({pin: '2026-07-28'} as const);
	const client = new Client({name: 'second', version: '1'}, {capabilities, versionNegotiation: {mode}});
	onTestFinished(() => client.close());
	if (answer && answer !== 'cannot') {
		client.setRequestHandler('elicitation/create', async ({params}) => answer(params));
		client.setNotificationHandler(
			'notifications/elicitation/complete',
			({params}) => void finished.push(params.elicitationId),
		);
	}

	await client.connect(new StreamableHTTPClientTransport(endpoint, {requestInit}));
	return {finished, call: async (...call) => textOf(await client.callTool(named(...call)))};
}

async function ready(running: Awaited<ReturnType<typeof open>>) {
	for (const server of Object.keys(servers)) {
		await running.eventWhere(
			event => event.type === 'server.state' && event.server === server && event.state === 'connected',
		);
	}

	return running;
}

describe.each(ways)('a client of %s', way => {
	test.each(['old', 'new'])(
		'is asked for values by the server %s, whose name comes first, and no console is',
		async server => {
			const {endpoint, questions} = await ready(await open());
			const asked: ElicitRequestParams[] = [];
			const {call} = await connect(endpoint, way, {
				answer(params) {
					asked.push(params);
					return {action: 'accept', content: {city: 'Oslo'}};
				},
			});
			expect(await call(server, 'ask', form)).toEqual({action: 'accept', content: {city: 'Oslo', meal: 'v'}});
			expect(asked).toMatchObject([
				{
					message: `${server}: Where to?`,
					requestedSchema: {
						type: 'object',
						properties: {
							city: {type: 'string', minLength: 2, title: 'City'},
							meal: {type: 'string', oneOf: [{const: 'v', title: 'Vegetarian'}], default: 'v'},
						},
						required: ['city'],
					},
				},
			]);
			expect(questions()).toEqual([]);
		},
	);

	test.each(['old', 'new'])('is asked to open a page by the server %s', async server => {
		const {endpoint, questions} = await ready(await open());
		const asked: ElicitRequestParams[] = [];
		const {call} = await connect(endpoint, way, {
			answer(params) {
				asked.push(params);
				return {action: 'accept'};
			},
		});
		expect(await call(server, 'ask', page)).toEqual({action: 'accept'});
		expect(asked).toMatchObject([{mode: 'url', message: `${server}: Log in`, url: 'https://example.com/login'}]);
		expect(questions()).toEqual([]);
	});

	test.each([
		['decline', {action: 'decline'}],
		['cancel', {action: 'cancel'}],
	] as const)('that answers %s is heard', async (action, result) => {
		const {endpoint} = await ready(await open());
		const {call} = await connect(endpoint, way, {answer: () => ({action})});
		expect(await call('old', 'ask', form)).toEqual(result);
	});

	test('that answers what does not fit the form cancels it, and the log says so', async () => {
		const {endpoint, eventWhere} = await ready(await open());
		const {call} = await connect(endpoint, way, {
			answer: () => ({action: 'accept', content: {city: 'Oslo', extra: 'x'}}),
		});
		expect(await call('old', 'ask', form)).toEqual({action: 'cancel'});
		expect(await eventWhere(event => event.type === 'log' && event.text.includes('does not fit'))).toBeDefined();
	});

	test('that does not declare a kind of question leaves it to the console', async () => {
		const {endpoint, eventWhere, gateway} = await ready(await open());
		const {call} = await connect(endpoint, way, {declared: {form: {}}, answer: () => ({action: 'decline'})});
		const answer = call('old', 'ask', page);
		const asked = await eventWhere(event => event.type === 'question.asked');
		const id = 'id' in asked ? asked.id : '';
		gateway.send({method: 'questions.answer', params: {id, answer: {kind: 'accept', values: {}}}});
		expect(await answer).toEqual({action: 'accept'});
		// The form of the same client is put to it.
		expect(await call('old', 'ask', form)).toEqual({action: 'decline'});
	});

	test('whose entry does not allow it leaves questions to the console', async () => {
		const {endpoint, eventWhere, gateway} = await ready(await open());
		const {call} = await connect(endpoint, way, {
			token: 'token-of-the-other',
			answer: () => ({action: 'accept', content: {city: 'Rome'}}),
		});
		const answer = call('old', 'ask', form);
		const asked = await eventWhere(event => event.type === 'question.asked');
		const id = 'id' in asked ? asked.id : '';
		gateway.send({method: 'questions.answer', params: {id, answer: {kind: 'decline'}}});
		expect(await answer).toEqual({action: 'decline'});
	});
});

test('a server without the key has its page declined, and the client is not asked', async () => {
	const {endpoint, questions} = await ready(await open());
	const answer = vi.fn<Answer>(() => ({action: 'accept'}));
	const {call} = await connect(endpoint, 'the older era', {answer});
	expect(await call('forms', 'ask', page)).toEqual({action: 'decline'});
	expect(answer).not.toHaveBeenCalled();
	expect(questions()).toEqual([]);
});

test('a client that declares what it cannot do ends the question, and the log says so', async () => {
	const {endpoint, questions, eventWhere} = await ready(await open());
	const {call} = await connect(endpoint, 'the older era', {answer: 'cannot'});
	expect(await call('old', 'ask', form)).toEqual({action: 'cancel'});
	const log = await eventWhere(event => event.type === 'log' && event.text.includes('could not answer'));
	expect(log).toMatchObject({text: expect.stringContaining('Method not found')});
	expect(questions()).toEqual([]);
});

test('a client of the older era hears that the page is finished with, under the id that it knows', async () => {
	const {endpoint} = await ready(await open());
	const asked: ElicitRequestParams[] = [];
	const {call, finished} = await connect(endpoint, 'the older era', {
		answer(params) {
			asked.push(params);
			return {action: 'accept'};
		},
	});
	await call('old', 'ask', page);
	await call('old', 'finish', {id: 'p1'});
	await vi.waitFor(() => expect(finished).toHaveLength(1));
	expect(asked).toMatchObject([{elicitationId: finished[0]}]);
	expect(finished).not.toContain('p1');
});

test('a call that needs a page is sent again once the client of the caller is finished with it', async () => {
	const {endpoint} = await ready(await open());
	const asked: ElicitRequestParams[] = [];
	const {call} = await connect(endpoint, 'the newer era', {
		answer(params) {
			asked.push(params);
			return {action: 'accept', ...(params.mode !== 'url' && {content: {}})};
		},
	});
	const needed = {id: 'n1', url: 'https://example.com/login'};
	expect(await call('old', 'needs_page', needed)).toBe('done');
	expect(asked.map(({message}) => message)).toEqual([
		'old: Log in first',
		expect.stringContaining('old: The page is open'),
	]);
});

test('a call that is refused for a page of a server without the key brings no address to the client', async () => {
	const {endpoint} = await ready(await open());
	const {call} = await connect(endpoint, 'the older era', {answer: () => ({action: 'accept'})});
	const refused = await call('forms', 'needs_page', {id: 'n2', url: 'https://example.com/login'});
	expect(refused).toMatchObject({isError: true, text: expect.stringContaining('A page is needed')});
	expect(JSON.stringify(refused)).not.toContain('example.com');
});
