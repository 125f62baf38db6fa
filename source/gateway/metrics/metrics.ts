import {type EventBus} from '../../state/event-bus.ts';
import {type GatewayEvent} from '../../state/event.ts';
import {createBoundedMap} from '../../util/limits/bounded-map.ts';
import {type Clock} from '../../util/clock.ts';
import {createSeries, type Series} from './series.ts';

/** The metrics of the gateway (docs/endpoint.md, Metrics). */
export type Metrics = {
	/** All of them in Prometheus text. Rejects with `storage_unavailable`. */
	readonly text: () => Promise<string>;
	readonly close: () => void;
};

/** The state of the gateway when the metrics are read. */
type GaugeValues = {
	readonly servers: ReadonlyArray<{readonly profile: string; readonly state: string}>;
	readonly waitingApprovals: ReadonlyArray<{readonly profile: string; readonly count: number}>;
	readonly waitingRuns: number;
	/** The runs under way here, by what they do. */
	readonly runsUnderWay: Readonly<Record<string, number>>;
	readonly failedDeliveries: ReadonlyArray<{
		readonly profile: string;
		readonly route: string;
		readonly job: string;
		readonly target: string;
		readonly failures: number;
	}>;
};

/** Counters of events since the metrics were switched on. */
type EventCounters = {readonly note: (event: GatewayEvent) => void; readonly text: () => string};

/** The state of a run is published more than once; the states of this many runs are remembered. */
const maxRememberedRuns = 1000;

/** Begins to count. */
export function createMetrics(
	{
		eventBus,
		clock,
		version,
	}: {readonly eventBus: Pick<EventBus, 'listen'>; readonly clock: Clock; readonly version: string},
	status: () => Promise<GaugeValues>,
): Metrics {
	const counters = createEventCounters();
	const close = eventBus.listen(counters.note);
	return {
		close,
		text: async () => [counters.text(), gaugesText(await status()), processText(clock.now(), version)].join(''),
	};
}

function gaugesText({servers, waitingApprovals, waitingRuns, runsUnderWay, failedDeliveries}: GaugeValues): string {
	const states = createSeries('sluice_servers', {
		kind: 'gauge',
		help: 'Tool servers by state.',
		labels: ['profile', 'state'],
	});
	servers.forEach(({profile, state}) => states.add([profile, state]));
	const waiting = createSeries('sluice_approvals_waiting', {
		kind: 'gauge',
		help: 'Approvals waiting for a person.',
		labels: ['profile'],
	});
	waitingApprovals.forEach(({profile, count}) => waiting.add([profile], count));
	const failing = createSeries('sluice_failed_deliveries', {
		kind: 'gauge',
		help: 'Deliveries that failed since the last one of their route or job to the target that arrived or was dismissed.',
		labels: ['profile', 'route', 'job', 'target'],
	});
	failedDeliveries.forEach(({profile, route, job, target, failures}) =>
		failing.add([profile, route, job, target], failures),
	);
	const underWay = createSeries('sluice_runs_under_way', {
		kind: 'gauge',
		help: 'Runs under way here: they work, wait for a person, or wait for a free slot after that.',
		labels: ['state'],
	});
	Object.entries(runsUnderWay).forEach(([state, count]) => underWay.add([state], count));
	return [
		states.text(),
		waiting.text(),
		gauge('sluice_runs_waiting', 'Runs waiting in the queue.', waitingRuns),
		underWay.text(),
		failing.text(),
	].join('');
}

function processText(now: number, version: string): string {
	const info = createSeries('sluice_info', {kind: 'gauge', help: 'The running version.', labels: ['version']});
	info.add([version]);
	const {rss, heapUsed} = process.memoryUsage();
	const {user, system} = process.cpuUsage();
	const cpu = createSeries('process_cpu_seconds_total', {kind: 'counter', help: 'CPU time used, in seconds.'});
	cpu.add([], (user + system) / 1_000_000);
	return [
		info.text(),
		cpu.text(),
		gauge('process_resident_memory_bytes', 'Memory held by the process, in bytes.', rss),
		gauge('nodejs_heap_size_used_bytes', 'Memory used by objects, in bytes.', heapUsed),
		gauge('process_start_time_seconds', 'When the process started, in seconds since the epoch.', startSeconds(now)),
	].join('');
}

function startSeconds(now: number): number {
	return Math.round(now / 1000 - process.uptime());
}

function gauge(name: string, help: string, value: number): string {
	const series = createSeries(name, {kind: 'gauge', help});
	series.add([], value);
	return series.text();
}

/** Opens the counters at zero. */
export function createEventCounters(): EventCounters {
	const counters = openCounters();
	const runStates = createBoundedMap<string, string>({max: maxRememberedRuns});

	/** True when the run came into another state. */
	const hasMoved = (runId: string, state: string): boolean => {
		const before = runStates.get(runId);
		runStates.set(runId, state);
		return before !== state;
	};

	return {
		note(event) {
			const {profile} = event;
			if (event.type === 'webhook.settled') {
				// Requests for unknown routes share an empty label, so that they cannot grow the list of routes.
				counters.webhooks.add([profile, event.status === 404 ? '' : event.route, event.outcome]);
			} else if (event.type === 'tool.finished') {
				counters.calls.add([profile, event.server, event.outcome]);
				counters.callSeconds.add([profile, event.server], event.ms / 1000);
				if (event.rule) {
					// Rules come and go, so their ids are in the journal and not here.
					counters.ruled.add([profile, event.rule.action, event.rule.source]);
				}
			} else if (event.type === 'approval.settled' && event.askedAt === undefined) {
				counters.approvals.add([profile, event.outcome]);
			} else if (event.type === 'delivery.settled') {
				counters.deliveries.add([profile, event.route ?? '', event.target, event.outcome]);
			} else if (event.type === 'cron.fired' || event.type === 'cron.dropped') {
				counters.jobs.add([profile, event.type === 'cron.fired' ? 'fired' : 'dropped']);
			} else if (event.type === 'run.state' && hasMoved(event.runId, event.state)) {
				counters.runs.add([profile, event.state]);
			}
		},
		text: () =>
			Object.values(counters)
				.map(series => series.text())
				.join(''),
	};
}

function openCounters() {
	const counter = (name: string, help: string, labels: readonly string[]): Series =>
		createSeries(name, {kind: 'counter', help, labels: ['profile', ...labels]});
	return {
		webhooks: counter('sluice_webhook_requests_total', 'Webhook requests by route and outcome.', ['route', 'outcome']),
		calls: counter('sluice_tool_calls_total', 'Tool calls by server and outcome.', ['server', 'outcome']),
		ruled: counter('sluice_ruled_calls_total', 'Tool calls a rule decided about, by its action and where it stands.', [
			'action',
			'source',
		]),
		callSeconds: counter('sluice_tool_call_seconds_total', 'Duration of tool calls, in seconds.', ['server']),
		approvals: counter('sluice_approvals_total', 'Approvals by outcome.', ['outcome']),
		runs: counter('sluice_run_states_total', 'Runs that entered a state.', ['state']),
		deliveries: counter('sluice_deliveries_total', 'Deliveries by route, target and outcome.', [
			'route',
			'target',
			'outcome',
		]),
		jobs: counter('sluice_cron_jobs_total', 'Cron jobs fired and dropped.', ['outcome']),
	};
}
