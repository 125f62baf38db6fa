import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {Client as FirstClient} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport as FirstStdioTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport as FirstHttpTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {type Transport as FirstTransport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {ElicitRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {accepted, type Named, type PeerClient, type Reference} from './peer.ts';
import {type PeerStage} from './peer-stage.ts';

const info = {name: 'a peer', version: '1.0.0'};
const capabilities = {elicitation: {}};
const headersOf = ({token}: PeerStage) => ({headers: {authorization: `Bearer ${token}`}});

/** The first SDK over Streamable HTTP. */
export function connectFirstSdk(stage: PeerStage): Promise<PeerClient> {
	return firstSdk(new FirstHttpTransport(new URL(stage.url), {requestInit: headersOf(stage)}));
}

/** The first SDK and a program that it starts, which carries its messages on. */
export function connectFirstSdkThrough(
	command: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
): Promise<PeerClient> {
	return firstSdk(new FirstStdioTransport({command, args: [...args], env: {...env}, stderr: 'ignore'}));
}

async function firstSdk(transport: FirstTransport): Promise<PeerClient> {
	const client = new FirstClient(info, {capabilities});
	client.setRequestHandler(ElicitRequestSchema, () => accepted);
	await client.connect(transport);
	return peerOf(client);
}

/** The second SDK over Streamable HTTP, held to one era. */
export async function connectSecondSdk(stage: PeerStage, era: 'legacy' | '2026-07-28'): Promise<PeerClient> {
	const mode = era === 'legacy' ? era : {pin: era};
	const client = new Client(info, {capabilities, versionNegotiation: {mode}});
	client.setRequestHandler('elicitation/create', () => accepted);
	await client.connect(new StreamableHTTPClientTransport(new URL(stage.url), {requestInit: headersOf(stage)}));
	return peerOf(client);
}

type Lists = {readonly [Key in 'tools' | 'resources' | 'prompts']: readonly Named[]};

/** The methods that both SDKs call alike. */
type SdkClient = {
	readonly listTools: () => Promise<Pick<Lists, 'tools'>>;
	readonly callTool: (params: {name: string; arguments: Record<string, unknown>}) => Promise<unknown>;
	readonly listResources: () => Promise<{readonly resources: ReadonlyArray<{readonly uri: string}>}>;
	readonly listResourceTemplates: () => Promise<{
		readonly resourceTemplates: ReadonlyArray<{readonly uriTemplate: string}>;
	}>;
	readonly readResource: (params: {uri: string}) => Promise<unknown>;
	readonly listPrompts: () => Promise<Pick<Lists, 'prompts'>>;
	readonly getPrompt: (params: {name: string; arguments: Record<string, string>}) => Promise<unknown>;
	readonly complete: (params: {
		ref: Reference;
		argument: {name: string; value: string};
	}) => Promise<{readonly completion: {readonly values: readonly string[]}}>;
	readonly close: () => Promise<void>;
};

function peerOf(client: SdkClient): PeerClient {
	return {
		tools: async () => (await client.listTools()).tools.map(({name}) => name),
		call: (name, args) => client.callTool({name, arguments: args}),
		resources: async () => (await client.listResources()).resources.map(({uri}) => uri),
		templates: async () => (await client.listResourceTemplates()).resourceTemplates.map(({uriTemplate}) => uriTemplate),
		read: uri => client.readResource({uri}),
		prompts: async () => (await client.listPrompts()).prompts.map(({name}) => name),
		prompt: (name, args) => client.getPrompt({name, arguments: args}),
		complete: async (ref, argument) => (await client.complete({ref, argument})).completion.values,
		close: () => client.close(),
	};
}
