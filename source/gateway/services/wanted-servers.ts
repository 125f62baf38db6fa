import {type LoadedConfig} from '../../config/read/load-config.ts';
import {type ConnectionState} from '../../mcp/session/connection-state.ts';
import {connectionText} from '../../mcp/session/server-row.ts';
import {type Connections} from '../../mcp/connections.ts';
import {type Catalogue} from '../../tools/catalogue.ts';
import {registeredName} from '../../tools/registered-tool.ts';
import {type Clock, openDeadline, sleep, type Timer} from '../../util/clock.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The tool servers that a command needs. */
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

/** The missing server that the name of a tool points to; undefined if each such server is there. */
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
	const isMeant = (server: string) => name.startsWith(registeredName(server, ''));
	const broken = brokenServers.find(server => isMeant(server.name));
	const absent = connections
		.list()
		.find(({config, state}) => isMeant(config.name) && !['connected', 'lazy'].includes(state().kind));
	return absent
		? {server: absent.config.name, problem: absenceProblem(absent.config.name, absent.state())}
		: broken && {server: broken.name, problem: broken.problem};
}

function absenceProblem(server: string, state: ConnectionState): Problem {
	const {reason} = connectionText(state);
	const because = reason === undefined ? '' : `: ${reason}`;
	switch (state.kind) {
		case 'needs-login':
			return state.problem;
		case 'disabled':
			return new Problem('server_unavailable', {
				message: `The tool server is disabled; \`sluice mcp enable ${shellWord(safeText(server))}\` enables it`,
			});
		case 'failed': {
			const code = state.problem.code === 'server_unauthorized' ? state.problem.code : 'server_unavailable';
			return new Problem(code, {message: safeText(`The tool server cannot be used${because}`)});
		}
		case 'connected':
		case 'connecting':
		case 'lazy':
		case 'stopped':
		case 'waiting':
			return new Problem('server_unavailable', {message: safeText(`The tool server is not connected${because}`)});
	}
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
	const reportConnecting = () => {
		for (const {config, state} of connections.list()) {
			if (state().kind === 'connecting') {
				report(`Waiting for the tool server ${nameOf(config)}${whyNot(state())} …`);
			}
		}

		timer = clock.after(repeatMilliseconds, reportConnecting);
	};
	timer = clock.after(silenceMilliseconds, reportConnecting);
	return () => timer?.cancel();
}

function nameOf({name}: {readonly name: string}): string {
	return safeText(name, {maximumCharacters: 100});
}

function whyNot(state: ConnectionState): string {
	const {reason} = connectionText(state);
	return reason === undefined ? '' : ` (${safeText(reason, {maximumCharacters: 300})})`;
}
