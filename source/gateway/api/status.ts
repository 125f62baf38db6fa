import {type StatusJson} from '../../state/json/gateway.ts';
import {hostname} from 'node:os';
import {type Hold} from '../../approvals/hold.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {isServerInTrouble, waitingCounts} from '../../state/waiting.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {type Clock} from '../../util/clock.ts';
import {safeText} from '../../util/safe-text.ts';
import {type NodeList} from '../../journal/rows/node-rows.ts';
import {type JournalState} from '../journal/gateway-journal.ts';
import {type GatewayFault} from '../journal/journal-fault.ts';
import {type Nodes} from '../journal/nodes.ts';
import {type Profile} from '../services/profiles.ts';
import {type RemoteAccess} from '../services/remote-access.ts';
import {type SpendingLimits} from '../services/spending-limits.ts';

type Live = Pick<
	StatusJson,
	| 'uptime_s'
	| 'waiting'
	| 'servers'
	| 'routes'
	| 'held'
	| 'journal_fault'
	| 'journal'
	| 'node'
	| 'nodes'
	| 'draining'
	| 'drain_delay_s'
	| 'under_way'
	| 'runs'
	| 'limits'
	| 'remote'
>;

/** Status of these profiles, from the counts of the dashboard (docs/json.md, Documents). */
export function liveStatus(
	{clock}: {readonly clock: Clock},
	{
		live,
		listed,
		hold,
		config,
		nodes,
		spending,
		remote,
		journalFault,
		journalState,
	}: {
		readonly live: Pick<LiveSnapshot, 'current'>;
		readonly listed: ReadonlyArray<Pick<Profile, 'name'>>;
		readonly hold: Pick<Hold, 'current'>;
		readonly config: () => Pick<GatewayConfig, 'journal' | 'gateway'>;
		readonly nodes: Pick<Nodes, 'list'>;
		readonly spending: Pick<SpendingLimits, 'states'>;
		readonly remote: Pick<RemoteAccess, 'status'>;
		readonly journalFault: () => GatewayFault | undefined;
		readonly journalState: () => JournalState;
	},
): Live {
	const snapshot = ofProfiles(live.current(), listed);
	const {gateway, servers, routes, runs, calls} = snapshot;
	const others = nodes.list();
	const chats = remote.status().filter(({profile}) => listed.some(({name}) => name === profile));
	const journal = journalState();
	const ownRuns = runs.filter(({state, node}) => state === 'running' && node === '');
	const drainingUntil = gateway.phase === 'running' ? gateway.drainingUntil : undefined;
	const {failedDeliveries, ...waiting} = waitingCounts(snapshot);
	const countOf = <Row extends {readonly state: string}>(rows: readonly Row[], state: Row['state']) =>
		rows.filter(row => row.state === state).length;
	return {
		uptime_s: gateway.phase === 'running' ? Math.max(0, Math.floor((clock.now() - gateway.startedAt) / 1000)) : 0,
		waiting: {...waiting, failed_deliveries: failedDeliveries},
		servers: {
			connected: countOf(servers, 'connected'),
			total: servers.length,
			need: servers.filter(isServerInTrouble).length,
		},
		routes: {served: countOf(routes, 'served'), failed: countOf(routes, 'failed')},
		held: hold.current() ?? null,
		...(chats.length > 0 && {remote: chats}),
		journal_fault: journalFault()?.message ?? null,
		journal: {...journal, unreadable: journal.unreadable.length},
		node: safeText(config().journal.node ?? hostname(), {maximumCharacters: 200}),
		...(others && {nodes: nodesToJson(others)}),
		draining: drainingUntil === undefined ? null : {until: drainingUntil},
		drain_delay_s: config().gateway.drainDelaySeconds,
		under_way: {
			runs: ownRuns.length,
			calls: calls.filter(({node}) => node === undefined).length,
		},
		runs: {
			working: ownRuns.filter(({waitingFor}) => waitingFor === 'nothing').length,
			waiting: ownRuns.filter(({waitingFor}) => waitingFor !== 'nothing' && waitingFor !== 'slot').length,
			returning: ownRuns.filter(({waitingFor}) => waitingFor === 'slot').length,
		},
		limits: spending.states().map(({path, unit, spent, limit, state, endsAt}) => ({
			path,
			unit,
			spent,
			limit,
			state,
			ends_at: endsAt,
		})),
	};
}

/** The latest start of each name: an earlier one is gone. */
function nodesToJson({now, nodes}: NodeList): NonNullable<StatusJson['nodes']> {
	const latest = new Map(nodes.map(node => [node.name, node]));
	return [...latest.values()].map(({name, state, seenAt, facts}) => ({
		name: safeText(name, {maximumCharacters: 200}),
		state,
		seen_s: Math.max(0, Math.floor((now - seenAt) / 1000)),
		...(facts && {version: safeText(facts.version, {maximumCharacters: 50})}),
	}));
}

function ofProfiles(snapshot: Snapshot, listed: ReadonlyArray<Pick<Profile, 'name'>>): Snapshot {
	const names = new Set(listed.map(({name}) => name));
	const own = <Row extends {readonly profile: string}>(rows: readonly Row[]) =>
		rows.filter(({profile}) => names.has(profile));
	return {
		...snapshot,
		approvals: own(snapshot.approvals),
		questions: own(snapshot.questions),
		proposals: own(snapshot.proposals),
		uncertain: own(snapshot.uncertain),
		runs: own(snapshot.runs),
		calls: own(snapshot.calls),
		servers: own(snapshot.servers),
		logins: own(snapshot.logins),
		routes: own(snapshot.routes),
		failedDeliveries: own(snapshot.failedDeliveries),
	};
}
