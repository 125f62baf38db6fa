import {everyTool, type ToolFilter} from '../../config/read/endpoint-clients.ts';
import {type TaskService} from '../../tools/endpoint/client-tasks.ts';
import {type EndpointCaller, type EndpointTools} from '../../tools/endpoint/endpoint-tools.ts';
import {type AdmittedClient} from '../../tools/endpoint/evaluate-task.ts';
import {offeredTools} from '../../tools/endpoint/offered-tools.ts';
import {hashJson} from '../../util/json-hash.ts';
import {Problem} from '../../util/problem.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type ToolService} from './tool-service.ts';

/** The parts of a profile that its clients reach. Without `tasks` no call becomes one. */
export type ClientParts = {
	readonly context: Pick<ProfileContext, 'clock' | 'redactor' | 'version' | 'current'>;
	readonly tools: Pick<ToolService, 'catalogue' | 'callTool' | 'firstSettled' | 'notices' | 'hold'>;
	readonly tasks?: Pick<TaskService, 'of'> | undefined;
};

/** Another one for each token and filter of a client. */
export function clientIdentity(token: string, {include, exclude}: ToolFilter): string {
	return hashJson([token, [...(include ?? ['*'])], [...exclude]]);
}

/** The tools of a profile as a program outside gets them, over HTTP or over stdio. */
export function endpointTools(
	{context, tools, tasks}: ClientParts,
	caller: EndpointCaller,
	{identity, filter}: {readonly identity: string; readonly filter: ToolFilter} = {identity: '', filter: everyTool},
): EndpointTools {
	const {clock, redactor, version} = context;
	const {catalogue, callTool, firstSettled, notices, hold} = tools;
	const client =
		'name' in caller
			? ({kind: 'token', name: caller.name} as const)
			: ({kind: 'claim', name: caller.claim ?? ''} as const);
	return offeredTools(
		{
			...catalogue,
			callTool,
			notices,
			ready: firstSettled,
			redact: redactor.redact,
			clock,
			time: hold.time,
			version,
			caller,
			// A name that is only claimed has no questions put to it.
			elicitation: 'at-a-console',
			tasks: tasks?.of(client, identity),
		},
		filter,
	);
}

/** The tools of a client over stdio, by the name that it claims, if any. Throws `config_invalid` when the clients cannot be read. */
export function claimedTools(
	parts: ClientParts,
	name: string | undefined,
): EndpointTools & {readonly identity: string} {
	const filter = claimedFilter(parts.context, name);
	const identity = clientIdentity('', filter);
	return {...endpointTools(parts, {claim: name}, {identity, filter}), identity};
}

/** The same as an admitted client; unknown while the clients cannot be read. */
export function claimedClient(parts: ClientParts, name: string | undefined): AdmittedClient {
	try {
		const tools = claimedTools(parts, name);
		return {kind: 'admitted', identity: tools.identity, tools};
	} catch {
		return {kind: 'unknown'};
	}
}

/** The filter of the client with a claimed name: its entry only narrows. */
function claimedFilter({current}: Pick<ProfileContext, 'current'>, name: string | undefined): ToolFilter {
	const {clients} = current().config.gateway.endpoint;
	if (name === undefined) {
		return everyTool;
	}

	if (clients.kind === 'broken') {
		throw new Problem('config_invalid', {message: `gateway.endpoint.clients cannot be read: ${clients.reason}`});
	}

	const client = clients.clients.get(name);
	return client?.kind === 'on' ? client.tools : everyTool;
}
