import {check} from '../config/refusals.ts';
import {createDeliver} from '../delivery/deliver.ts';
import {type Journal} from '../journal/journal.ts';
import {createRuns, type Runs} from '../runs/runs.ts';
import {type Publish} from '../state/event.ts';
import {type Problem, problemLine} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {checkRoutes} from '../webhooks/check.ts';
import {createListFiles} from '../webhooks/list-file.ts';
import {type Replay} from '../webhooks/reception.ts';
import {createWebhookAdapter, type WebhookAdapter} from '../webhooks/webhook-adapter.ts';
import {type Foundation} from './foundation.ts';
import {createReplay} from './replay-stored.ts';

/** Everything an event walks through. */
export type EventWing = {
	readonly runs: Runs;
	/** Listens, moves or closes until the adapter is what the current configuration says. Never rejects: it shows as failed. */
	readonly apply: () => Promise<void>;
	/** Base address of the listener; null while there is none. */
	readonly url: () => string | null;
	/** Walks a stored event through its route again. Rejects with `unknown_event` or `not_replayable`. */
	readonly replay: (id: string) => Promise<Replay>;
	readonly stop: () => Promise<void>;
};

/** Builds the event wing; nothing listens before `apply`. */
export function openEventWing(foundation: Foundation, journal: Journal): EventWing {
	const {clock, publish, paths, current, expand} = foundation;
	const deliver = createDeliver({clock, publish});
	const runs = createRuns({
		journal,
		clock,
		publish,
		deliver,
		maximumConcurrentRuns: current().config.agent.maxConcurrentRuns,
	});
	let adapter: WebhookAdapter | undefined;
	let url: string | null = null;
	const endListening = foundation.hall.listen(event => {
		if (event.type === 'webhook.state') {
			url = event.state === 'listening' ? (event.url ?? null) : null;
		}
	});

	const create = () =>
		createWebhookAdapter({
			config: current().config.webhook,
			clock,
			publish,
			journal,
			deliver,
			wakeRuns: runs.wake,
			queueLimit: () => current().config.agent.maxQueuedRuns,
			profile: paths.profile,
			directory: paths.directory,
			expand,
			learnSecret: foundation.redactor.learn,
		});

	const close = async () => {
		await adapter?.close();
		adapter = undefined;
	};

	/** The adapter does not listen while one configured route is refused; the rest of the gateway goes on (spec/decisions.md, D3). */
	const refuse = async (refusals: readonly Problem[]) => {
		await close();
		tell(publish, refusals);
		const reason = refusals.map(refusal => safeText(refusal.message)).join('; ');
		publish({type: 'webhook.state', state: 'failed', reason, routes: current().config.webhook.routes.length});
	};

	const apply = async () => {
		const {webhook} = current().config;
		const refusals = check(webhook, expand);
		tell(publish, checkRoutes(webhook, {expand, lists: createListFiles(paths.directory)}));
		if (refusals.length > 0) {
			await refuse(refusals);
		} else if (adapter) {
			await adapter.apply(webhook);
		} else if (webhook.enabled) {
			adapter = create();
			// Why it does not listen stands in its state; a change of the configuration tries again.
			await adapter.listen().catch(() => undefined);
		}
	};

	return {
		runs,
		apply,
		url: () => url,
		replay: createReplay(journal, () => (current().config.webhook.enabled ? adapter : undefined)),
		async stop() {
			await close();
			await runs.stop();
			endListening();
		},
	};
}

function tell(publish: Publish, problems: readonly Problem[]): void {
	for (const problem of problems) {
		publish({type: 'log', level: problem.level, area: 'webhooks', text: safeText(problemLine(problem))});
	}
}
