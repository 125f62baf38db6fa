import {insecureSecret} from '../../config/webhooks/refusals.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {challengeTokens} from '../../config/webhooks/sender-rules.ts';
import {readSubscription, type Subscription, type SubscriptionContext} from '../../config/webhooks/subscriptions.ts';
import {type StoredDocument} from '../../config/values/stored-document.ts';
import {type Publish} from '../../state/event.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {type Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The dynamic routes of a profile (docs/webhook-routes.md, Subscriptions). */
type Subscriptions = {
	/** True when they changed since the last `read`; cheap enough for each request. */
	readonly isStale: () => boolean;
	/** The entries that this configuration can serve. What cannot be read changes nothing: the previous entries stay. */
	readonly read: (webhook: SubscriptionContext['webhook']) => readonly RouteConfig[];
	/** True if they could be read since the start; a missing file counts as empty. */
	readonly wereRead: () => boolean;
	/** Logs a problem of a subscription. */
	readonly report: (problem: Problem) => void;
};

/** Creates the subscriptions; nothing is read yet. A skipped entry is logged with its reason. */
export function createSubscriptions(options: {
	readonly store: StoredDocument<JsonObject>;
	readonly expand: (text: string, profile?: string) => string;
	readonly publish: Publish;
	/** Receives each secret, so that it is masked. */
	readonly learnSecret: (secret: string) => void;
}): Subscriptions {
	const {store, expand, publish, learnSecret} = options;
	let version: string | undefined;
	let entries: JsonObject | undefined;

	const report = (problem: Problem) => {
		publish({type: 'log', level: problem.level, area: 'webhooks', text: safeText(problemLine(problem))});
	};

	const refresh = () => {
		const found = stampOf(store);
		if (found === version) {
			return;
		}

		version = found;
		try {
			entries = store.read();
		} catch (error) {
			report(toProblem(error, 'config_unreadable'));
			publish({type: 'log', level: 'warning', area: 'webhooks', text: 'The previous subscriptions stay in use'});
		}
	};

	return {
		report,
		wereRead: () => entries !== undefined,
		isStale: () => stampOf(store) !== version,
		read(webhook) {
			refresh();
			const subscriptions = Object.entries(entries ?? {}).map(([name, entry]) =>
				readSubscription(name, entry, {webhook, expand}),
			);
			for (const {route, problems} of subscriptions) {
				[...(route?.secrets ?? []), ...(route ? challengeTokens(route) : [])]
					.map(secret => expand(secret, route?.profile))
					.filter(secret => secret !== insecureSecret)
					.forEach(learnSecret);
				problems.forEach(report);
			}

			return subscriptions.flatMap(servedRoute);
		},
	};
}

function servedRoute({state, route}: Subscription): readonly RouteConfig[] {
	return state === 'served' && route ? [route] : [];
}

/** One that cannot be looked at is read again once it can. */
function stampOf(store: Pick<StoredDocument<JsonObject>, 'stamp'>): string {
	try {
		return store.stamp();
	} catch {
		return 'unreadable';
	}
}
