import {type Journal} from '../../journal/journal.ts';
import {type EndpointRules} from '../../tools/endpoint/authorize-request.ts';
import {
	type EndpointListener,
	type EndpointListenerOptions,
	type EndpointClient,
	openEndpointListener,
} from '../../tools/endpoint/endpoint-listener.ts';
import {listenActions, type NextAction} from '../../state/next-action.ts';
import {createBackOff, listenPauses} from '../../util/back-off.ts';
import {listenFailureText} from '../../util/http-server.ts';
import {errorText, type Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {listFailedDeliveries} from '../journal/failed-deliveries.ts';
import {createMetrics, type Metrics} from '../metrics/metrics.ts';
import {metricsRule, readEndpointClients, sharedPortText} from './endpoint-profiles.ts';
import {type Profiles} from './profiles.ts';

/** The endpoint that offers all tools of the gateway, and the metrics on the same port (docs/endpoint.md, What the agent gets; docs/json.md, Log lines). */
export type EndpointService = {
	/** Listens, moves or closes until the listener is what the current configuration says. Never rejects: it shows as failed. */
	readonly apply: () => Promise<void>;
	/** The result of the last change; undefined before the first. */
	readonly state: () => EndpointState | undefined;
	readonly stop: () => Promise<void>;
};

type EndpointState = {
	readonly state: 'off' | 'listening' | 'failed';
	readonly url?: string;
	readonly reason?: string;
	readonly nextActions?: readonly NextAction[];
};

/** A listener of the endpoint that stays while its address does. */
type ManagedListener = {
	/** Listens there and answers the base address. Rejects with `port_in_use` or `listen_failed`. */
	readonly listen: (address: {readonly host: string; readonly port: number}) => Promise<string>;
	/** Ends the sessions of profiles that are not named. */
	readonly keep: (profiles: readonly string[]) => Promise<void>;
	readonly close: () => Promise<void>;
};

/** The runs under way, by what they do. */
type GaugeRuns = Readonly<Record<string, number>>;

/** The reads of the journal that the metrics need. */
type MetricsJournal = Pick<Journal, 'countWaitingRuns' | 'listFailedDeliveries'>;

/** Builds the service; nothing listens before `apply`. */
export function openEndpointService(
	profiles: Profiles,
	journal: MetricsJournal,
	runCounts: () => GaugeRuns,
): EndpointService {
	const {context} = profiles.first;
	let rules: EndpointRules<EndpointClient> = {host: '', clientsOf: () => undefined, metrics: {kind: 'off'}};
	let metrics: Metrics | undefined;
	let last: Promise<void> = Promise.resolve();
	let phase: 'open' | 'closed' = 'open';
	const {report, log, state} = createReporter(context.publish);
	const listener = createManagedListener({
		rules: () => rules,
		metrics: async () => metrics?.text() ?? '',
		report: error => log(errorText(error)),
		clock: context.clock,
	});

	/** Admits the clients of all profiles, and ends the sessions of all others. */
	const admitClients = async (host: string) => {
		const {first, clients} = await readAllClients(profiles, log);
		const clientsOf = (name = profiles.first.name) => clients.get(name);
		rules = {host, clientsOf, metrics: metricsRule(profiles.first)};
		await listener.keep([...clients.values()].flat().map(({key}) => key));
		return {first, isServed: clients.size > 0};
	};

	const follow = async (): Promise<EndpointState> => {
		const {gateway, metrics: wanted} = context.current().config;
		const {first, isServed} = await admitClients(gateway.endpoint.host);
		if (wanted.enabled) {
			metrics ??= createMetrics(context, () => status(profiles, journal, runCounts()));
		}

		let url = '';
		if (isServed || wanted.enabled) {
			url = await listener.listen(gateway.endpoint);
		} else {
			await listener.close();
		}

		return first.kind === 'open' ? {state: 'listening', url: `${url}/mcp`} : endpointState(first);
	};

	const again = createBackOff(context.clock, listenPauses);
	const run = async () => {
		if (phase === 'open') {
			report(await follow().catch(caught => failedState(toProblem(caught), {...context.current(), tryAgain})));
		}
	};

	const runInTurn = () => (last = last.then(run));
	const tryAgain = () => again.schedule(() => void runInTurn());

	return {
		apply() {
			again.reset();
			return runInTurn();
		},
		state,
		async stop() {
			phase = 'closed';
			await last;
			again.reset();
			await listener.close();
			metrics?.close();
		},
	};
}

/** The clients of all profiles by the name of the profile, and the reading of the first one. Others that are not admitted are logged. */
async function readAllClients(profiles: Profiles, log: (text: string) => void) {
	const clients = new Map<string, readonly EndpointClient[]>();
	let first: Awaited<ReturnType<typeof readEndpointClients>> = {kind: 'off'};
	for (const profile of profiles.all) {
		const isFirst = profile === profiles.first;
		const reading = await readEndpointClients(profile, isFirst ? 'environment-and-own-file' : 'own-file');
		first = isFirst ? reading : first;
		if (reading.kind === 'open') {
			profile.tasks.admit(reading.known);
			clients.set(profile.name, reading.clients);
			reading.faults.forEach(fault => log(`A client is not admitted: ${fault}`));
		} else if (reading.kind === 'failed' && !isFirst) {
			log(`A profile's tools are not offered: ${reading.reason}`);
		}
	}

	return {first, clients};
}

function endpointState(
	first: {readonly kind: 'off'} | {readonly kind: 'failed'; readonly reason: string},
): EndpointState {
	return first.kind === 'off' ? {state: 'off'} : {state: 'failed', reason: first.reason};
}

/** An address that cannot be had now is tried again. One that the webhooks have is named so. */
function failedState(
	problem: Problem,
	{config, tryAgain}: {readonly config: Parameters<typeof sharedPortText>[0]; readonly tryAgain: () => void},
): EndpointState {
	if (problem.code !== 'port_in_use' && problem.code !== 'listen_failed') {
		return {state: 'failed', reason: problem.message};
	}

	tryAgain();
	const shared = sharedPortText(config);
	return shared !== undefined && problem.code === 'port_in_use'
		? {state: 'failed', reason: shared, nextActions: [{kind: 'edit', key: 'gateway.endpoint.port'}]}
		: {
				state: 'failed',
				reason: listenFailureText(problem),
				nextActions: listenActions(problem, 'gateway.endpoint'),
			};
}

/** Publishes each state once. */
function createReporter(publish: Profiles['first']['context']['publish']) {
	let reported = '';
	let current: EndpointState | undefined;
	const log = (text: string) => publish({type: 'log', level: 'error', area: 'endpoint', text: safeText(text)});
	const report = (state: EndpointState) => {
		const now = JSON.stringify(state);
		current = state;
		if (now !== reported) {
			reported = now;
			publish({type: 'endpoint.state', ...state});
		}
	};

	return {log, report, state: () => current};
}

async function status({all, first}: Profiles, journal: MetricsJournal, runsUnderWay: GaugeRuns) {
	return {
		servers: all.flatMap(({name, tools}) => tools.serverStatus.list().map(({state}) => ({profile: name, state}))),
		waitingApprovals: all.map(({name, tools}) => ({profile: name, count: tools.approvals.pending().length})),
		waitingRuns: await journal.countWaitingRuns(),
		runsUnderWay,
		failedDeliveries: await listFailedDeliveries(journal, first.name),
	};
}

/** Builds one that does not listen yet. */
function createManagedListener(options: EndpointListenerOptions): ManagedListener {
	let open: {readonly key: string; readonly listener: EndpointListener} | undefined;
	const close = async () => {
		const before = open;
		open = undefined;
		await before?.listener.close();
	};

	return {
		close,
		async listen({host, port}) {
			const key = `${host} ${port}`;
			if (open?.key !== key) {
				await close();
				open = {key, listener: await openEndpointListener(options, {host, port})};
			}

			return open.listener.url;
		},
		async keep(profiles) {
			await open?.listener.keep(profiles);
		},
	};
}
