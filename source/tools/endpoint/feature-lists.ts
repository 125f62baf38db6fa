import {isSpecType, ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/server';
import {isDeeperThan, isJsonObject, isList, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {openDeadline} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {redactTexts} from '../../util/redact-texts.ts';
import {registeredName} from '../registered-tool.ts';
import {type UtilityName, utilityToolOf} from '../utility-tools.ts';
import {type AnswerCallOptions, callForClient, type ClientCall} from './answer-call.ts';
import {type EndpointTools, listPage, serversWith} from './endpoint-tools.ts';
import {endpointLimits} from './limits.ts';
import {servedEntry} from './served-content.ts';
import {servedUri} from './served-uri.ts';

/** The client that asks for something, and how it is reached meanwhile. */
export type FeatureCaller = Pick<ClientCall, 'client' | 'flaw' | 'progressToken'> & AnswerCallOptions;

/** The lists that are gathered from the servers. */
export type FeatureList = 'resources' | 'resourceTemplates' | 'prompts';

/** An entry of a list of one server. */
type ListedEntry = {
	readonly server: string;
	/** Its name or address at the server. */
	readonly ownName: string;
	/** The same at the endpoint. */
	readonly name: string;
	readonly served: JsonObject;
};

type ListRule = {
	readonly utility: UtilityName;
	readonly arguments: JsonObject;
	/** The member that names an entry. */
	readonly name: string;
	readonly isValid: (value: unknown) => boolean;
};

const rules: Readonly<Record<FeatureList, ListRule>> = {
	resources: {utility: 'list_resources', arguments: {}, name: 'uri', isValid: isSpecType.Resource},
	resourceTemplates: {
		utility: 'list_resources',
		arguments: {templates: true},
		name: 'uriTemplate',
		isValid: isSpecType.ResourceTemplate,
	},
	prompts: {utility: 'list_prompts', arguments: {}, name: 'name', isValid: isSpecType.Prompt},
};

/** The lists of resources, templates and prompts for the clients of one token. */
export type FeatureLists = {
	/** A page of a list. Rejects with a `ProtocolError`. */
	readonly page: (
		list: FeatureList,
		cursor: string | undefined,
		caller: FeatureCaller,
	) => Promise<Readonly<Record<string, unknown>>>;
	/** The server of a prompt and its own name there, asking the servers whose it may be; undefined when there is none. */
	readonly findPrompt: (
		name: string,
		caller: FeatureCaller,
	) => Promise<{readonly server: string; readonly prompt: string} | undefined>;
};

/** Opens them. Each list without a cursor asks the servers by calls of their utility tools; the pages behind it are of the same list. */
export function createFeatureLists(tools: EndpointTools): FeatureLists {
	const last = new Map<FeatureList, readonly ListedEntry[]>();
	const listAll = async (list: FeatureList, caller: FeatureCaller): Promise<readonly ListedEntry[]> => {
		const entries = await gather(tools, {list, servers: serversWith(rules[list].utility, tools)}, caller);
		last.set(list, entries);
		return entries;
	};

	return {
		async page(list, cursor, caller) {
			await tools.ready();
			const kept = cursor === undefined ? undefined : last.get(list);
			const {entries, nextCursor} = listPage(kept ?? (await listAll(list, caller)), {
				cursor,
				nameOf: ({name}) => name,
			});
			return {[list]: entries.map(({served}) => served), ...(nextCursor !== undefined && {nextCursor})};
		},
		async findPrompt(name, caller) {
			const isNamed = (entry: ListedEntry) => entry.name === name;
			const known = last.get('prompts')?.find(isNamed);
			if (known) {
				return promptOf(known);
			}

			await tools.ready();
			const servers = serversWith('list_prompts', tools).filter(server => name.startsWith(registeredName(server, '')));
			const found = (await gather(tools, {list: 'prompts', servers}, caller)).find(isNamed);
			return found && promptOf(found);
		},
	};
}

function promptOf({server, ownName: prompt}: ListedEntry) {
	return {server, prompt};
}

/** The entries of some servers in their order. Of two with one name the first has it. */
async function gather(
	tools: EndpointTools,
	{list, servers}: {readonly list: FeatureList; readonly servers: readonly string[]},
	caller: FeatureCaller,
): Promise<readonly ListedEntry[]> {
	const lists = await Promise.all(servers.map(server => listServer(tools, {list, server}, caller)));
	const entries = new Map<string, ListedEntry>();
	for (const entry of lists.flat()) {
		if (!entries.has(entry.name)) {
			entries.set(entry.name, entry);
		}
	}

	return [...entries.values()];
}

/** The entries of one server; none when it cannot be asked. Rejects with a `ProtocolError` when the client may ask nothing more today. */
async function listServer(
	tools: EndpointTools,
	{list, server}: {readonly list: FeatureList; readonly server: string},
	caller: FeatureCaller,
): Promise<readonly ListedEntry[]> {
	const {utility, arguments: args, ...rule} = rules[list];
	const name = utilityToolOf(server, utility, tools.find);
	if (name === undefined) {
		return [];
	}

	const limit = openListLimit(tools, caller.signal);
	const {outcome, answer} = await callForClient(
		tools,
		// The flaw is of the client's own arguments, and these are not.
		{...caller, flaw: undefined, name, arguments: args},
		{...caller, signal: limit.signal, onWait: limit.onWait},
	);
	limit.close();
	caller.signal.throwIfAborted();
	if (outcome.kind === 'error' && outcome.error.code === 'limit_reached') {
		throw new ProtocolError(ProtocolErrorCode.InternalError, outcome.error.message);
	}

	const entries = answer?.source?.[list];
	return entries !== undefined && isList(entries)
		? entries.flatMap(entry => listedEntry(entry, {server, redact: tools.redact, ...rule}) ?? [])
		: [];
}

/** The time of one server to answer, which stands still while its call waits for a person. */
function openListLimit({clock}: Pick<EndpointTools, 'clock'>, signal: AbortSignal) {
	const controller = new AbortController();
	const reason = () => new Problem('cancelled', {message: 'The server did not list in time'});
	const open = () => openDeadline(clock, endpointLimits.listMilliseconds, {signal, reason});
	const follow = (deadline: ReturnType<typeof open>) => {
		deadline.signal.addEventListener('abort', () => controller.abort(deadline.signal.reason), {once: true});
		return deadline;
	};
	let running = follow(open());
	return {
		signal: AbortSignal.any([signal, controller.signal]),
		onWait: (isWaiting: boolean) => {
			running.cancel();
			if (!isWaiting) {
				running = follow(open());
			}
		},
		close: () => running.cancel(),
	};
}

/** No client could use a more deeply nested entry. */
const deepestEntry = 100;

/** An entry with its name at the endpoint; undefined for what the protocol does not allow. Its texts are masked, its address is not: it would be another one. */
function listedEntry(
	own: JsonValue,
	{
		server,
		redact,
		name,
		isValid,
	}: Pick<ListRule, 'name' | 'isValid'> & {
		readonly server: string;
		readonly redact: EndpointTools['redact'];
	},
): ListedEntry | undefined {
	if (!isJsonObject(own) || isDeeperThan(own, deepestEntry)) {
		return undefined;
	}

	const {[name]: ownName, ...texts} = own;
	const entry = {...redactTexts(texts, redact), [name]: ownName ?? null};
	const bare = {[name]: ownName ?? null, name: entry['name'] ?? ownName ?? null};
	const valid = isValid(entry) ? entry : isValid(bare) ? bare : undefined;
	if (!valid || typeof ownName !== 'string') {
		return undefined;
	}

	const served = servedEntry(valid, server);
	const servedName = name === 'name' ? registeredName(server, ownName) : servedUri({server, uri: ownName});
	return {server, ownName, name: servedName, served: {...served, [name]: servedName}};
}
