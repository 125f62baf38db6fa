import {type ModelTurn, startModelServer} from '../simulators/model-server.ts';
import {openAgent} from './open-agent.ts';

type AgentOptions = Omit<Parameters<typeof openAgent>[0], 'model'>;

/** An agent whose model gives these answers. */
export async function withModel(turns: readonly ModelTurn[], options: AgentOptions = {}) {
	const server = await startModelServer(...turns);
	const model = {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`} as const;
	return {server, ...openAgent({...options, model})};
}

/** A turn that reads a file. */
export const read = (path: string) => ({calls: [{name: 'mcp__files__read', input: {path}}]});

/** The messages of a role in the last request to the model. */
export function lastTold(
	server: {requests: () => ReadonlyArray<{messages: ReadonlyArray<{role: string; content?: unknown}>}>},
	role: string,
) {
	const messages = server.requests().at(-1)?.messages ?? [];
	return messages.filter(message => message.role === role).map(message => String(message.content));
}
