import {type WaitingTime} from '../../approvals/waiting-time.ts';
import {type ElicitationRule} from '../../config/read/endpoint-clients.ts';
import {ProtocolError, ProtocolErrorCode} from '@modelcontextprotocol/server';
import {type Clock, type Timer} from '../../util/clock.ts';
import {type CallTool} from '../call-tool.ts';
import {type Catalogue} from '../catalogue.ts';
import {type ServerNotices} from '../server-notices.ts';
import {readToolOf, type UtilityName, utilityToolOf} from '../utility-tools.ts';
import {type ClientTasks} from './client-tasks.ts';
import {endpointLimits} from './limits.ts';
import {type OwnUri} from './served-uri.ts';

/** A client of the endpoint: the name of its token over HTTP; over stdio the name that it claims, if any. */
export type EndpointCaller = {readonly name: string} | {readonly claim: string | undefined};

/** The tools of one profile for a client of the endpoint. */
export type EndpointTools = Pick<Catalogue, 'list' | 'find' | 'watch' | 'servers'> & {
	/** The only path to the tools. */
	readonly callTool: CallTool;
	/** The changes that servers announce. */
	readonly notices: ServerNotices;
	/** Awaited before tools are listed or called: a client may connect before the servers have. */
	readonly ready: () => Promise<void>;
	/** Masks known secrets in texts of servers. */
	readonly redact: (text: string) => string;
	readonly clock: Clock;
	/** The time in which its person is waited for. */
	readonly time: Pick<WaitingTime, 'after'>;
	/** The client that they are for. */
	readonly caller: EndpointCaller;
	/** The questions of servers that it calls. */
	readonly elicitation: ElicitationRule;
	/** Calls of this client that wait long become tasks; absent: they wait on their connection. */
	readonly tasks?: ClientTasks | undefined;
	/** The version of Sluice. */
	readonly version: string;
};

/** Servers that connect together, or a server that changes constantly, cause one notification. */
const gatherMilliseconds = 100;

/** The lists of the endpoint, and what is in each. */
const listKeys = {
	tools: ({list}: Listed) => list().map(({name, fingerprint}) => `${name} ${fingerprint}`),
	resources: (listed: Listed) => serversWith('list_resources', listed),
	prompts: (listed: Listed) => serversWith('list_prompts', listed),
} as const;

/** A list of the endpoint. */
export type ListName = keyof typeof listKeys;

type Listed = Pick<EndpointTools, 'list' | 'find'>;

/** The servers whose resources or prompts a client is offered, in the order of the configuration. */
export function serversWith(utility: UtilityName, {list, find}: Listed): readonly string[] {
	const servers = new Set(list().map(({server}) => server));
	return [...servers].filter(server => utilityToolOf(server, utility, find) !== undefined);
}

/** Calls `changed` with each list that has changed; the returned function unsubscribes. Servers that reconnect with the same tools cause no call. */
export function watchLists(
	tools: Pick<EndpointTools, 'list' | 'find' | 'watch' | 'notices' | 'clock'>,
	changed: (list: ListName) => void,
): () => void {
	const names = Object.keys(listKeys) as ListName[];
	const known = new Map(names.map(name => [name, keyOf(name, tools)]));
	const announced = new Set<ListName>();
	let timer: Timer | undefined;
	const compare = () => {
		timer = undefined;
		for (const name of names) {
			const key = keyOf(name, tools);
			if (key !== known.get(name) || announced.has(name)) {
				known.set(name, key);
				changed(name);
			}
		}

		announced.clear();
	};

	const gather = () => void (timer ??= tools.clock.after(gatherMilliseconds, compare));
	const endWatch = tools.watch(gather);
	const endNotices = tools.notices.watch((server, {kind}) => {
		const name = kind === 'resources-changed' ? 'resources' : kind === 'prompts-changed' ? 'prompts' : undefined;
		if (name && serversWith(name === 'resources' ? 'list_resources' : 'list_prompts', tools).includes(server)) {
			announced.add(name);
			gather();
		}
	});
	return () => {
		endWatch();
		endNotices();
		timer?.cancel();
	};
}

function keyOf(name: ListName, listed: Listed): string {
	return listKeys[name](listed).join('\n');
}

/** Calls `updated` with the address of each resource that a server announces to have changed. */
export function watchResources(
	{notices, find}: Pick<EndpointTools, 'notices' | 'find'>,
	updated: (own: OwnUri) => void,
): () => void {
	return notices.watch((server, notice) => {
		if (notice.kind === 'resource-updated' && readToolOf(server, find) !== undefined) {
			updated({server, uri: notice.uri});
		}
	});
}

/** Some entries of a list; `nextCursor` leads to the others. */
type Page<Entry> = {readonly entries: readonly Entry[]; readonly nextCursor?: string};

/**
The page of a list that a client asks for; without a cursor the first one. A cursor names the last entry before its page, so that a changed list
neither repeats nor skips another one. Throws a `ProtocolError` when that entry is gone: the client lists again.
*/
export function listPage<Entry>(
	entries: readonly Entry[],
	{cursor, nameOf}: {readonly cursor: string | undefined; readonly nameOf: (entry: Entry) => string},
): Page<Entry> {
	const name = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString();
	const begin = name === undefined ? 0 : entries.findIndex(entry => nameOf(entry) === name) + 1;
	if (name !== undefined && begin === 0) {
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor: list from the beginning');
	}

	const page = entries.slice(begin, begin + endpointLimits.entriesOnPage);
	const last = page.at(-1);
	const isComplete = last === undefined || begin + page.length >= entries.length;
	return {entries: page, ...(!isComplete && {nextCursor: Buffer.from(nameOf(last)).toString('base64url')})};
}
