import {mkdtempSync, rmSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {freePort} from '../helpers/free-port.ts';
import {administer, type PostgresServer, startPostgres} from '../helpers/postgres-server.ts';
import {createSteadySender, type SteadySender} from '../helpers/steady-sender.ts';
import {type Balancer, openBalancer} from './balancer.ts';
import {type Effects, openEffects} from './effects.ts';
import {createGatewayProcess, type GatewayProcess} from './gateway-process.ts';

/** Several gateways on one journal in a database of their own, behind a balancer, with a sender in front of it. */
export type Cluster = {
	readonly gateways: readonly GatewayProcess[];
	readonly database: Pick<PostgresServer, 'url' | 'start' | 'stop'>;
	readonly schema: string;
	readonly balancer: Balancer;
	readonly effects: Effects;
	readonly sender: SteadySender;
	/** Resolves when that many gateways are ready; rejects after two minutes. */
	readonly untilReady: (count?: number) => Promise<void>;
	/** Resolves with what the journal holds once nothing waits or is under way any more, or when it was no less for a minute and a half. */
	readonly verdict: () => Promise<ClusterVerdict>;
	/** Ends everything, whatever state it is in. */
	readonly close: () => Promise<void>;
};

/** The effects that must not have happened, and the work that was left: all of these are empty. */
export type ClusterVerdict = {
	/** Accepted events that led to nothing. */
	readonly lost: readonly string[];
	/** Events that were accepted or had an effect more than once. */
	readonly twice: readonly string[];
	/** Runs, windows, calls and messages that wait or are under way though nobody works on them. */
	readonly left: readonly string[];
	/** Runs that failed or were interrupted because the journal was away. */
	readonly failedByJournal: readonly string[];
};

const secret = 'a secret only this cluster knows';
/** Of ten events, most wait for a person in a profile without a model. */
const ways = [
	'/p/plain/webhooks/inbox',
	'/webhooks/asked',
	'/webhooks/direct',
	'/webhooks/group',
	'/p/plain/webhooks/inbox',
];

/** A database that was away is tried every 15 seconds at last, and a busy machine takes a while. */
const maxReadyPolls = 2400;

/** Starts everything, with gateways `node-1`, `node-2` and so on. `journal` is added to that section of each. */
export async function startCluster(options: {
	readonly gateways: number;
	readonly journal?: object;
	readonly thinkMilliseconds?: number;
	readonly envOf?: (index: number) => Readonly<Record<string, string>> | undefined;
}): Promise<Cluster> {
	await using opened = new AsyncDisposableStack();
	const cluster = await start(options, opened);
	const all = opened.move();
	return {...cluster, close: () => all.disposeAsync()};
}

/** Started parts are left to `opened`, also when something else cannot be started. */
async function start(
	{gateways: count, journal = {}, thinkMilliseconds = 50, envOf}: Parameters<typeof startCluster>[0],
	opened: AsyncDisposableStack,
): Promise<Omit<Cluster, 'close'>> {
	const folder = mkdtempSync(join(tmpdir(), 'sluice-cluster-'));
	opened.defer(() => rmSync(folder, {recursive: true, force: true}));
	const database = await startPostgres();
	opened.defer(database.remove);
	const effects = await openEffects(thinkMilliseconds);
	opened.defer(effects.close);
	const ports = await Promise.all(Array.from({length: count}, () => freePort()));
	const gateways = ports.map((port, index) => {
		const name = `node-${index + 1}`;
		const place = {url: database.url, schema: 'sluice', pool: 4, node: name, ...journal};
		return createGatewayProcess({
			name,
			port,
			home: join(folder, name),
			config: {...configuration(effects, port), journal: place},
			profiles: {plain: {model: {provider: 'none'}}},
			env: envOf?.(index),
		});
	});
	opened.defer(async () => void (await Promise.all(gateways.map(({kill}) => kill()))));
	gateways.forEach(gateway => gateway.start());
	const balancer = await openBalancer(gateways);
	opened.defer(balancer.close);
	const sender = createSteadySender({
		port: balancer.port,
		secret,
		pathOf: number => ways[number % ways.length] ?? '',
	});
	opened.defer(sender.close);
	return {
		gateways,
		database,
		schema: 'sluice',
		balancer,
		effects,
		sender,
		async untilReady(wanted = count) {
			for (let polls = 0; balancer.ready().length < wanted; polls++) {
				if (polls === maxReadyPolls) {
					const missing = gateways.filter(({name}) => !balancer.ready().includes(name));
					const ends = missing.map(
						({name, home}) => `${name}: ${readFileSync(join(home, 'output.log'), 'utf8').slice(-2000)}`,
					);
					throw new Error([`Only ${balancer.ready().join(', ')} of ${wanted} gateways are ready`, ...ends].join('\n'));
				}

				await wait(50);
			}
		},
		verdict: () => verdictOf({database, effects, sender}),
	};
}

function configuration(effects: Effects, port: number): object {
	const coalesce = {key: 'number', window_seconds: 1, max_wait_seconds: 2};
	const deliver = {deliver: 'homeassistant'};
	return {
		...effects.config,
		agent: {max_queued_runs: 1_000_000, max_concurrent_runs: 8},
		gateway: {multiplex_profiles: true, endpoint: {enabled: false}},
		platforms: {
			homeassistant: effects.platform,
			webhook: {
				enabled: true,
				host: '127.0.0.1',
				port,
				secret,
				rate_limit: 100_000_000,
				routes: {
					inbox: {prompt: 'Event {number}', profile: 'plain'},
					asked: {prompt: 'Event {number}', toolsets: ['mcp-effects'], ...deliver},
					group: {prompt: 'Event {number}', toolsets: ['mcp-effects'], coalesce},
					direct: {prompt: 'Event {number}', deliver_only: true, ...deliver},
				},
			},
		},
	};
}

/** Work that a dead gateway left is looked for once a minute. */
const maxPolls = 900;

/** A call without an end whose gateway is gone is uncertain. */
const leftText = `
	SELECT 'run ' || id || ' ' || state AS what FROM sluice.runs WHERE state IN ('queued', 'running')
	UNION ALL SELECT 'window ' || key FROM sluice.windows
	UNION ALL SELECT 'call ' || id FROM sluice.calls JOIN sluice.nodes ON incarnation = owner WHERE outcome IS NULL AND nodes.state = 'alive'
	UNION ALL SELECT 'message ' || id || ' ' || state FROM sluice.answers WHERE state IN ('pending', 'sending')`;

const keptText = `
	SELECT events.delivery_id AS id, count(DISTINCT events.id) AS events, count(DISTINCT runs.id) + count(DISTINCT answers.id) FILTER (WHERE answers.run_id IS NULL) AS results
	FROM sluice.events LEFT JOIN sluice.runs ON runs.event_id = events.id LEFT JOIN sluice.answers ON answers.event_id = events.id
	WHERE outcome NOT IN ('rejected', 'duplicate', 'unavailable') GROUP BY 1`;

const failedText = `
	SELECT concat(id, ' ', state, ': ', reason) AS what FROM sluice.runs WHERE state IN ('failed', 'interrupted') AND (reason ILIKE '%journal%' OR reason ILIKE '%database%')`;

async function verdictOf({
	database: {url},
	effects,
	sender,
}: Pick<Cluster, 'database' | 'effects' | 'sender'>): Promise<ClusterVerdict> {
	const poll = async () => (await administer(url, leftText)).map(({what}) => String(what));
	let left = await poll();
	let fewest = left.length;
	for (let polls = 0; left.length > 0 && polls < maxPolls; polls++) {
		await wait(100);
		left = await poll();
		// A long queue is worked off as fast as the machine can; what nobody works on stays.
		if (left.length < fewest) {
			fewest = left.length;
			polls = 0;
		}
	}

	const rows = await administer(url, keptText);
	const kept = new Map(rows.map(row => [String(row['id']), row]));
	const events = [...kept].flatMap(([id, row]) =>
		Number(row['events']) > 1 || Number(row['results']) > 1 ? [id] : [],
	);
	return {
		lost: [...sender.answered].filter(id => Number(kept.get(id)?.['results'] ?? 0) === 0),
		twice: [...events, ...effects.twice(), ...sender.acceptedAgain],
		left,
		failedByJournal: (await administer(url, failedText)).map(({what}) => String(what)),
	};
}
