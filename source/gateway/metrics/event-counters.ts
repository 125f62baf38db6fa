import {type GatewayEvent} from '../../state/event.ts';
import {createSeries, type Series} from './series.ts';

/** What has happened since the metrics were switched on, counted. */
export type EventCounters = {readonly note: (event: GatewayEvent) => void; readonly text: () => string};

/** Runs tell their state more than once; so many are remembered. */
const mostRememberedRuns = 1000;

/** Opens the counters at zero. */
export function createEventCounters(): EventCounters {
	const counters = openCounters();
	const runStates = new Map<string, string>();

	/** True when the run came into another state. */
	const hasMoved = (runId: string, state: string): boolean => {
		const before = runStates.get(runId);
		runStates.delete(runId);
		runStates.set(runId, state);
		const [oldest] = runStates.keys();
		if (runStates.size > mostRememberedRuns && oldest !== undefined) {
			runStates.delete(oldest);
		}

		return before !== state;
	};

	return {
		note(event) {
			const {profile} = event;
			if (event.type === 'webhook.settled') {
				// Whoever asks for routes that do not exist must not fill the list of those that do.
				counters.webhooks.add([profile, event.status === 404 ? '' : event.route, event.outcome]);
			} else if (event.type === 'tool.finished') {
				counters.calls.add([profile, event.server, event.outcome]);
				counters.callSeconds.add([profile, event.server], event.ms / 1000);
			} else if (event.type === 'approval.settled') {
				counters.approvals.add([profile, event.outcome]);
			} else if (event.type === 'delivery.settled') {
				counters.deliveries.add([profile, event.target, event.outcome]);
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
		callSeconds: counter('sluice_tool_call_seconds_total', 'Time that tool calls took, in seconds.', ['server']),
		approvals: counter('sluice_approvals_total', 'Approvals by outcome.', ['outcome']),
		runs: counter('sluice_run_states_total', 'How many runs came into a state.', ['state']),
		deliveries: counter('sluice_deliveries_total', 'Deliveries by target and outcome.', ['target', 'outcome']),
		jobs: counter('sluice_cron_jobs_total', 'Cron jobs fired and dropped.', ['outcome']),
	};
}
