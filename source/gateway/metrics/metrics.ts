import {type EventBus} from '../../state/event-bus.ts';
import {type Clock} from '../../util/clock.ts';
import {createEventCounters} from './event-counters.ts';
import {createSeries} from './series.ts';

/** The metrics of the gateway (docs/endpoint.md, Metrics). */
export type Metrics = {
	/** All of them in Prometheus text. */
	readonly text: () => string;
	readonly close: () => void;
};

/** How the gateway stands now, read when the metrics are. */
export type GaugeValues = {
	readonly servers: ReadonlyArray<{readonly profile: string; readonly state: string}>;
	readonly waitingApprovals: ReadonlyArray<{readonly profile: string; readonly count: number}>;
	readonly waitingRuns: number;
};

/** Begins to count. */
export function createMetrics(
	{
		eventBus,
		clock,
		version,
	}: {readonly eventBus: Pick<EventBus, 'listen'>; readonly clock: Clock; readonly version: string},
	status: () => GaugeValues,
): Metrics {
	const counters = createEventCounters();
	const close = eventBus.listen(counters.note);
	return {
		close,
		text: () => [counters.text(), gaugesText(status()), processText(clock.now(), version)].join(''),
	};
}

function gaugesText({servers, waitingApprovals, waitingRuns}: GaugeValues): string {
	const states = createSeries('sluice_servers', {
		kind: 'gauge',
		help: 'Tool servers by state.',
		labels: ['profile', 'state'],
	});
	servers.forEach(({profile, state}) => states.add([profile, state]));
	const waiting = createSeries('sluice_approvals_waiting', {
		kind: 'gauge',
		help: 'Approvals that wait for a person.',
		labels: ['profile'],
	});
	waitingApprovals.forEach(({profile, count}) => waiting.add([profile], count));
	return states.text() + waiting.text() + gauge('sluice_runs_waiting', 'Runs that wait in the queue.', waitingRuns);
}

function processText(now: number, version: string): string {
	const info = createSeries('sluice_info', {kind: 'gauge', help: 'The running version.', labels: ['version']});
	info.add([version]);
	const {rss, heapUsed} = process.memoryUsage();
	const {user, system} = process.cpuUsage();
	const cpu = createSeries('process_cpu_seconds_total', {kind: 'counter', help: 'Processor time used, in seconds.'});
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
