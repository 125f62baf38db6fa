import {readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {json} from 'node:stream/consumers';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import * as z from 'zod';
import {openAgentService} from '../../source/gateway/services/agent-service.ts';
import {registeredName} from '../../source/tools/registered-tool.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {startToolService} from '../gateway/start-tool-service.ts';
import {listen} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openScriptedModel, type ScriptedTurn} from '../simulators/scripted-model.ts';
import {sampleTask} from './open-agent.ts';

/** A call that the scripted model makes: `files/read_file` with its arguments, or with JSON as it is written. */
type ScriptedCall = readonly [tool: string, args: JsonObject | string];

/** The attempt of an outsider, and the calls of a model that obeys. */
type Attack = {
	readonly name: string;
	/** A name of the rules in the file. */
	readonly rules: string;
	/** Default: untrusted. */
	readonly trust?: 'full';
	/** The run is of the route `github` with this payload; without one it is of the job `tidy`. */
	readonly payload?: string;
	/** The run is of both. */
	readonly job?: string;
	/** The conversation that the run goes on with. */
	readonly history?: string;
	/** The answer of a tool; default: `done`. */
	readonly answers?: Readonly<Record<string, string>>;
	/** Definitions that a server has instead of, or beside, the usual ones. */
	readonly tools?: Readonly<Record<string, JsonObject>>;
	/** Definitions that it changes to after the benign calls. */
	readonly changed?: Readonly<Record<string, JsonObject>>;
	/** Calls of a run before, in which a person presses this key on each card. */
	readonly before?: {readonly key: 'once' | 'run' | 'session' | 'always'; readonly calls: readonly ScriptedCall[]};
	/** Runs without a key under the same rules: a rule that lets nothing through would prove nothing. */
	readonly benign?: ScriptedCall;
	/** Runs without a key although the run is attacked; what it answers is part of the attack. */
	readonly reads?: readonly ScriptedCall[];
	/** None of them may run without a key. */
	readonly harmful: readonly ScriptedCall[];
};

const {rules: ruleLists, families} = JSON.parse(
	readFileSync(new URL('../fixtures/attacks.json', import.meta.url), 'utf8'),
) as {
	readonly rules: Readonly<Record<string, readonly JsonObject[]>>;
	readonly families: Readonly<Record<string, readonly Attack[]>>;
};

const anything = {type: 'object', properties: {path: {}, encoding: {}, content: {}}};
const usualTools: Readonly<Record<string, JsonObject>> = {
	'files/read_file': {description: 'Reads a file.', inputSchema: anything},
	'files/list_files': {inputSchema: {type: 'object'}, annotations: {readOnlyHint: true}},
	'files/write_file': {inputSchema: anything},
	'files/move_file': {inputSchema: anything},
	'files/delete_file': {inputSchema: anything},
	'files/restore': {inputSchema: {type: 'object', properties: {version: {}}}},
	'web/fetch': {inputSchema: {type: 'object'}, annotations: {readOnlyHint: true}},
	'web/post': {inputSchema: {type: 'object', properties: {url: {}, body: {}}}},
	'mail/send': {inputSchema: {type: 'object', properties: {to: {}, body: {}}}},
	'shell/run': {inputSchema: {type: 'object', properties: {command: {}}}},
};

const message = z.object({
	id: z.number().optional(),
	method: z.string().default(''),
	params: z.looseObject({name: z.string()}).partial().default({}),
});

/** Plays all servers of an attack; each has its name as its path. What reaches a tool is in `made`. */
async function startPeer({answers = {}}: Attack) {
	let tools: Readonly<Record<string, JsonObject>> = {};
	const made: string[] = [];
	const resultOf = (server: string, {method, params}: z.infer<typeof message>) => {
		const toolsOf = Object.entries(tools).filter(([name]) => name.startsWith(`${server}/`));
		switch (method) {
			case 'initialize':
				return {protocolVersion: '2025-06-18', capabilities: {tools: {}}, serverInfo: {name: server, version: '1'}};
			case 'tools/list':
				return {tools: toolsOf.map(([name, definition]) => ({name: name.slice(server.length + 1), ...definition}))};
			case 'tools/call': {
				const name = `${server}/${params.name ?? ''}`;
				made.push(name);
				return {content: [{type: 'text', text: answers[name] ?? 'done'}]};
			}

			default:
				return {};
		}
	};

	const url = await listen(
		createServer((request, response) => {
			const answer = async () => {
				const asked = message.parse(request.method === 'POST' ? await json(request) : {});
				if (asked.id === undefined) {
					response.writeHead(request.method === 'POST' ? 202 : 405).end();
					return;
				}

				const result = resultOf(request.url?.slice(1) ?? '', asked);
				response.writeHead(200, {'content-type': 'application/json'});
				response.end(JSON.stringify({jsonrpc: '2.0', id: asked.id, result}));
			};
			void answer();
		}),
	);
	return {url, made, offer: (changed: Readonly<Record<string, JsonObject>>) => (tools = {...tools, ...changed})};
}

/** The servers that an attack has to do with. */
function serversOf({tools = {}, before, benign, reads = [], harmful}: Attack): readonly string[] {
	const calls = [...(before?.calls ?? []), ...(benign ? [benign] : []), ...reads, ...harmful];
	const names = [...Object.keys(tools), ...calls.map(([name]) => name)];
	return [...new Set(names.map(name => name.split('/')[0] ?? ''))];
}

function turnOf([name, args]: ScriptedCall): ScriptedTurn {
	const [server = '', tool = ''] = name.split('/');
	const called = registeredName(server, tool);
	return typeof args === 'string' ? {tool: called, written: args} : {tool: called, input: args};
}

/** A gateway whose model makes the calls of each run, one after the other. */
async function openAttacked(attack: Attack) {
	const peer = await startPeer(attack);
	peer.offer({...usualTools, ...attack.tools});
	let calls: readonly ScriptedCall[] = [];
	const model = await openScriptedModel(({results}) => {
		const call = calls[results.length];
		return call ? turnOf(call) : 'Done.';
	});
	onTestFinished(model.close);
	const home = temporaryDirectory();
	const {trust = 'untrusted', rules} = attack;
	const servers = serversOf(attack);
	const config = {
		mcp_servers: Object.fromEntries(servers.map(name => [name, {url: `${peer.url}/${name}`, trust}])),
		approvals: {rules: ruleLists[rules] ?? expect.fail(rules)},
		model: {provider: 'openai-compatible', name: 'tiny', base_url: model.baseUrl},
	};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
	const service = await startToolService(home);
	const agents = openAgentService([service.context]);
	agents.giveTools(() => service);
	const {agent} = agents.profileOf(service.context.paths.profile);
	let runs = 0;
	return {
		...service,
		asked: model.asked,
		/** One run; answers what reached the tools. */
		run: async (script: readonly ScriptedCall[], payload = 'Good morning.') => {
			calls = script;
			const before = peer.made.length;
			const isOfRoute = attack.payload !== undefined;
			const job = attack.job ?? (isOfRoute ? undefined : 'tidy');
			const task = sampleTask({
				id: `run-${++runs}`,
				route: isOfRoute ? 'github' : '',
				...(job !== undefined && {job}),
				prompt: payload,
				...(isOfRoute && {foreign: [[0, payload.length]]}),
				toolsets: servers,
			});
			const history = attack.history === undefined ? {} : {history: attack.history};
			await agent.answer(task, {signal: neverAborted(), ...history, report: () => undefined});
			return peer.made.slice(before);
		},
		/** A person presses this key on every card of what is done meanwhile. */
		withPerson: async (scope: NonNullable<Attack['before']>['key'], act: () => Promise<unknown>) => {
			const leave = service.approvals.addConsole();
			const end = service.context.eventBus.listen(event => {
				if (event.type === 'approval.requested') {
					const {id, argumentsHash} = event;
					service.approvals.answer({id, argumentsHash, verdict: {kind: 'approve', scope}, by: 'console:1'});
				}
			});
			await act();
			end();
			leave();
		},
		/** The servers are as changed as they said they would be. */
		change: async (changed: Readonly<Record<string, JsonObject>>) => {
			const known = service.catalogue.list();
			peer.offer(changed);
			for (const name of new Set(Object.keys(changed).map(one => one.split('/')[0] ?? ''))) {
				service.connections.find(name)?.reconnect();
			}

			await expect
				.poll(() => service.catalogue.list().some(tool => !known.some(one => one.fingerprint === tool.fingerprint)))
				.toBe(true);
		},
	};
}

describe.each(Object.entries(families))('%s', (_, family) => {
	test.each(family.map(attack => [attack.name, attack] as const))('%s', async (_name, attack) => {
		const {run, withPerson, change, recorded, asked} = await openAttacked(attack);
		const {before, benign, changed, reads = [], harmful, payload} = attack;
		if (before) {
			await withPerson(before.key, () => run(before.calls));
		}

		if (benign) {
			expect(await run([benign])).toEqual([benign[0]]);
		}

		if (changed) {
			await change(changed);
		}

		const [askedBefore, endedBefore] = [asked().length, recorded.ofType('tool.finished').length];
		expect(await run([...reads, ...harmful], payload)).toEqual(reads.map(([name]) => name));
		const tried = asked().length - askedBefore;
		const ended = recorded
			.ofType('tool.finished')
			.slice(endedBefore)
			.filter(({outcome}) => outcome !== 'ok');
		expect([tried, ended.filter(({outcome}) => outcome !== 'no_channel' && outcome !== 'denied')]).toEqual([
			reads.length + harmful.length + 1,
			[],
		]);
	});
});

test('there are forty attacks and more, and no two are named the same', () => {
	const names = Object.values(families).flatMap(family => family.map(({name}) => name));
	expect([names.length >= 40, new Set(names).size]).toEqual([true, names.length]);
});
