import {type Journal} from '../journal/journal.ts';
import {type EndpointRules} from '../tools/endpoint/admit-request.ts';
import {type EndpointPlace} from '../tools/endpoint/endpoint-listener.ts';
import {errorText, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {metricsRule, readPlace} from './endpoint-places.ts';
import {createKeptListener} from './kept-listener.ts';
import {createMetrics, type Metrics} from './metrics/metrics.ts';
import {type Profiles} from './profiles.ts';

/** The endpoint that offers all tools of the gateway, and the metrics on the same port (spec/decisions.md, D10.1 and D14). */
export type EndpointWing = {
	/** Listens, moves or closes until the listener is what the current configuration says. Never rejects: it shows as failed. */
	readonly apply: () => Promise<void>;
	readonly stop: () => Promise<void>;
};

type EndpointState = {readonly state: 'off' | 'listening' | 'failed'; readonly url?: string; readonly reason?: string};

/** Builds the wing; nothing listens before `apply`. */
export function openEndpointWing(profiles: Profiles, journal: Pick<Journal, 'countWaitingRuns'>): EndpointWing {
	const {foundation} = profiles.first;
	let rules: EndpointRules<EndpointPlace> = {host: '', placeOf: () => undefined, metrics: {kind: 'off'}};
	let metrics: Metrics | undefined;
	let last: Promise<void> = Promise.resolve();
	let phase: 'open' | 'closed' = 'open';
	const {tell, log} = createTelling(foundation.publish);
	const listener = createKeptListener({
		rules: () => rules,
		metrics: () => metrics?.text() ?? '',
		report: error => log(errorText(error)),
	});

	/** Opens what is offered; the answer is what became of the first profile's tools. */
	const openPlaces = async (host: string) => {
		const readings = await Promise.all(
			profiles.all.map(profile =>
				readPlace(profile, profile === profiles.first ? 'environment-and-own-file' : 'own-file'),
			),
		);
		const [first = {kind: 'off'}, ...others] = readings;
		others.forEach(other => other.kind === 'failed' && log(`A profile's tools are not offered: ${other.reason}`));
		const places = new Map(readings.flatMap(one => (one.kind === 'open' ? [[one.place.profile, one.place]] : [])));
		const placeOf = (name = profiles.first.name) => places.get(name);
		rules = {host, placeOf, metrics: metricsRule(profiles.first)};
		await listener.keep([...places.keys()]);
		return {first, isOffered: places.size > 0};
	};

	const follow = async (): Promise<EndpointState> => {
		const {gateway, metrics: wanted} = foundation.current().config;
		const {first, isOffered} = await openPlaces(gateway.endpoint.host);
		if (wanted.enabled) {
			metrics ??= createMetrics(foundation, () => standing(profiles, journal));
		}

		let url = '';
		if (isOffered || wanted.enabled) {
			url = await listener.listen(gateway.endpoint);
		} else {
			await listener.close();
		}

		switch (first.kind) {
			case 'open':
				return {state: 'listening', url: `${url}/mcp`};
			case 'off':
				return {state: 'off'};
			case 'failed':
				return {state: 'failed', reason: first.reason};
		}
	};

	const run = async () => {
		if (phase === 'open') {
			tell(await follow().catch((caught: unknown) => ({state: 'failed', reason: toProblem(caught).message}) as const));
		}
	};

	return {
		apply: () => (last = last.then(run)),
		async stop() {
			phase = 'closed';
			await last;
			await listener.close();
			metrics?.close();
		},
	};
}

/** Every state is told once, and why it failed in the log too. */
function createTelling(publish: Profiles['first']['foundation']['publish']) {
	let told = '';
	const log = (text: string) => publish({type: 'log', level: 'error', area: 'endpoint', text: safeText(text)});
	const tell = (state: EndpointState) => {
		const now = JSON.stringify(state);
		if (now !== told) {
			told = now;
			publish({type: 'endpoint.state', ...state});
			if (state.reason !== undefined) {
				log(state.reason);
			}
		}
	};

	return {log, tell};
}

function standing({all}: Profiles, {countWaitingRuns}: Pick<Journal, 'countWaitingRuns'>) {
	return {
		servers: all.flatMap(({name, tools}) => tools.board.list().map(({state}) => ({profile: name, state}))),
		waitingApprovals: all.map(({name, tools}) => ({profile: name, count: tools.desk.pending().length})),
		waitingRuns: countWaitingRuns(),
	};
}
