import {type LoadedConfig} from '../config/read/load-config.ts';
import {type ConnectionState} from '../mcp/session/connection-state.ts';
import {connectionText} from '../mcp/session/server-row.ts';
import {type Connections} from '../mcp/connections.ts';
import {type Catalogue} from '../tools/catalogue.ts';
import {registeredName} from '../tools/registered-tool.ts';
import {type Clock, openDeadline, sleep, type Timer} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** What a command wants of the tool servers. */
export type Wanted =
	| {readonly kind: 'every-server'}
	| {readonly kind: 'server'; readonly name: string}
	/** By its registered name. */
	| {readonly kind: 'tool'; readonly name: string};

/** Lists wait so long, and so does a call for a server that may have the tool too: longer than most servers take to start. */
export const listMilliseconds = 10_000;

/** After this long, and again at this interval, the person sees which servers Sluice is waiting for. */
const silenceMilliseconds = 3000;
const repeatMilliseconds = 15_000;

/** The configuration with the servers that are wanted alone. Of a name with several underscores more than one server may be meant. Pure. */
export function withWantedServers(loaded: LoadedConfig, wanted: Wanted): LoadedConfig {
	const {servers, brokenServers} = loaded.config;
	const isWanted = ({name}: {readonly name: string}) => {
		switch (wanted.kind) {
			case 'every-server':
				return true;
			case 'server':
				return name === wanted.name;
			case 'tool':
				return wanted.name.startsWith(registeredName(name, ''));
		}
	};
	return {
		...loaded,
		config: {...loaded.config, servers: servers.filter(isWanted), brokenServers: brokenServers.filter(isWanted)},
	};
}

type Parts = {
	readonly connections: Pick<Connections, 'list' | 'settled'>;
	readonly catalogue: Pick<Catalogue, 'find'>;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** For the person: what is waited for, and what is missing. */
	readonly report: (text: string) => void;
};

/** Waits for the servers that were opened, as far as the command needs them: lists only so long that no server spoils them. */
export async function awaitWanted(wanted: Wanted, parts: Parts): Promise<void> {
	const {connections, signal} = parts;
	const endReports = reportWaiting(parts);
	try {
		switch (wanted.kind) {
			case 'every-server':
				return await awaitList(parts);
			case 'server':
				return await connections.settled(signal);
			case 'tool':
				return await awaitTool(wanted.name, parts);
		}
	} finally {
		endReports();
	}
}

/** Why a tool of a server that was opened cannot be called, when the server is not there; undefined when it is. */
export function missingServer(
	name: string,
	{
		connections,
		brokenServers,
	}: {
		readonly connections: Pick<Connections, 'list'>;
		readonly brokenServers: LoadedConfig['config']['brokenServers'];
	},
): {readonly server: string; readonly problem: Problem} | undefined {
	const broken = brokenServers.find(server => name.startsWith(registeredName(server.name, '')));
	const absent = connections.list().find(({state}) => !['connected', 'lazy'].includes(state().kind));
	if (!absent) {
		return broken && {server: broken.name, problem: broken.problem};
	}

	const state = absent.state();
	const {state: word, reason} = connectionText(state);
	const message = safeText(`The tool server is ${word}${reason === undefined ? '' : `: ${reason}`}`);
	const problem = state.kind === 'needs-login' ? state.problem : new Problem('server_unavailable', {message});
	return {server: absent.config.name, problem};
}

async function awaitList({connections, clock, signal, report}: Parts): Promise<void> {
	const reason = () => new Problem('connect_timeout');
	const deadline = openDeadline(clock, listMilliseconds, {signal, reason});
	await connections.settled(deadline.signal);
	deadline.cancel();
	warnMissingKey(connections, report);
}

/** Reports which servers are still connecting. */
export function warnMissingKey(connections: Pick<Connections, 'list'>, report: Parts['report']): void {
	for (const {config, state} of connections.list()) {
		if (state().kind === 'connecting') {
			report(
				`The tool server ${nameOf(config)} did not answer within ${listMilliseconds / 1000} seconds${whyNot(state())}`,
			);
		}
	}
}

/**
The first server in the order of the configuration that has the tool keeps its name. One that does not answer is given the time of a list;
then the tool is that of another server that is there.
*/
async function awaitTool(name: string, {connections, catalogue, clock, signal}: Parts): Promise<void> {
	const over = new AbortController();
	const waiting = AbortSignal.any([signal, over.signal]);
	const inOrder = async () => {
		for (const {config} of connections.list()) {
			await connections.settled(waiting, [config.name]);
			const tool = catalogue.find(name);
			if (tool?.server === config.name && tool.kind === 'native') {
				return;
			}
		}
	};
	const anyOne = async () => {
		await sleep(clock, listMilliseconds, waiting);
		await Promise.any(
			connections.list().map(async ({config}) => {
				await connections.settled(waiting, [config.name]);
				if (!catalogue.find(name)) {
					throw new Problem('unknown_tool');
				}
			}),
		);
	};
	const decided = inOrder();
	try {
		await Promise.race([decided, anyOne().catch(() => decided)]);
	} finally {
		over.abort();
	}
}

/** Says after a while which servers are still connecting, and again. The returned function ends that. */
function reportWaiting({connections, clock, report}: Parts): () => void {
	let timer: Timer | undefined;
	const look = () => {
		for (const {config, state} of connections.list()) {
			if (state().kind === 'connecting') {
				report(`Waiting for the tool server ${nameOf(config)}${whyNot(state())} …`);
			}
		}

		timer = clock.after(repeatMilliseconds, look);
	};
	timer = clock.after(silenceMilliseconds, look);
	return () => timer?.cancel();
}

function nameOf({name}: {readonly name: string}): string {
	return safeText(name, {maximumCharacters: 100});
}

function whyNot(state: ConnectionState): string {
	const {reason} = connectionText(state);
	return reason === undefined ? '' : ` (${safeText(reason, {maximumCharacters: 300})})`;
}
