import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {createMCPClient, ElicitationRequestSchema} from '@ai-sdk/mcp';
import {createRuntime} from 'mcporter';
import {z} from 'zod';
import {fixture} from '../helpers/fixture-program.ts';
import {accepted, type PeerClient} from './peer.ts';
import {type PeerStage} from './peer-stage.ts';
import {connectFirstSdkThrough} from './sdk-peers.ts';

const lists = {
	tools: z.object({tools: z.array(z.object({name: z.string()}))}),
	resources: z.object({resources: z.array(z.object({uri: z.string()}))}),
	templates: z.object({resourceTemplates: z.array(z.object({uriTemplate: z.string()}))}),
	prompts: z.object({prompts: z.array(z.object({name: z.string()}))}),
};

const cannot = () => Promise.reject(new Error('This client cannot do that'));

/** The client of the AI SDK, which begins with `server/discover`. */
export async function connectAiSdk({url, token}: PeerStage): Promise<PeerClient> {
	const headers = {authorization: `Bearer ${token}`};
	const client = await createMCPClient({transport: {type: 'http', url, headers}, capabilities: {elicitation: {}}});
	client.onElicitationRequest(ElicitationRequestSchema, () => accepted);
	return {
		tools: async () => Object.keys(await client.tools()),
		call: (name, args) => client.callTool({name, arguments: args}),
		resources: async () => (await client.listResources()).resources.map(({uri}) => uri),
		templates: async () => (await client.listResourceTemplates()).resourceTemplates.map(({uriTemplate}) => uriTemplate),
		read: uri => client.readResource({uri}),
		prompts: async () => (await client.listPrompts()).prompts.map(({name}) => name),
		prompt: (name, args) => client.getPrompt({name, arguments: args}),
		complete: cannot,
		close: () => client.close(),
	};
}

/** The runtime of mcporter, on which its command line stands. */
export async function connectMcporter({url, token}: PeerStage): Promise<PeerClient> {
	const headers = {authorization: `Bearer ${token}`};
	const runtime = await createRuntime({
		servers: [{name: 'sluice', command: {kind: 'http', url: new URL(url), headers}}],
	});
	return {
		tools: async () => (await runtime.listTools('sluice')).map(({name}) => name),
		call: (name, args) => runtime.callTool('sluice', name, {args}),
		resources: async () => lists.resources.parse(await runtime.listResources('sluice')).resources.map(({uri}) => uri),
		templates: cannot,
		read: uri => runtime.readResource('sluice', uri),
		prompts: cannot,
		prompt: cannot,
		complete: cannot,
		close: () => runtime.close(),
	};
}

/** The command line of the Inspector. */
export async function connectInspector({url, token, folder}: PeerStage): Promise<PeerClient> {
	const child = spawn(process.execPath, [fixture('inspector-session.ts')], {
		env: {PATH: process.env['PATH'], HOME: folder},
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	const inspect = async (method: string, ...words: readonly string[]): Promise<unknown> => {
		const head = [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
		child.stdin.write(`${JSON.stringify([...head, '--method', method, ...words])}\n`);
		const {value} = await lines.next();
		return z.object({result: z.unknown()}).parse(JSON.parse(String(value))).result;
	};
	const pairs = (flag: string, args: Readonly<Record<string, unknown>>) =>
		Object.entries(args).flatMap(([name, value]) => [flag, `${name}=${String(value)}`]);
	return {
		tools: async () => lists.tools.parse(await inspect('tools/list')).tools.map(({name}) => name),
		call: (name, args) => inspect('tools/call', '--tool-name', name, ...pairs('--tool-arg', args)),
		resources: async () => lists.resources.parse(await inspect('resources/list')).resources.map(({uri}) => uri),
		templates: async () =>
			lists.templates
				.parse(await inspect('resources/templates/list'))
				.resourceTemplates.map(({uriTemplate}) => uriTemplate),
		read: uri => inspect('resources/read', '--uri', uri),
		prompts: async () => lists.prompts.parse(await inspect('prompts/list')).prompts.map(({name}) => name),
		prompt: (name, args) => inspect('prompts/get', '--prompt-name', name, ...pairs('--prompt-args', args)),
		complete: cannot,
		async close() {
			child.stdin.end();
			await once(child, 'close');
		},
	};
}

/** mcp-remote, which carries the messages of a client over stdio to a server over HTTP. */
export function connectMcpRemote({url, token, folder}: PeerStage): Promise<PeerClient> {
	const program = join(dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')), 'dist/proxy.js');
	const words = [program, url, '--header', `Authorization:Bearer ${token}`];
	return connectFirstSdkThrough(process.execPath, words, {HOME: folder, MCP_REMOTE_CONFIG_DIR: folder});
}
