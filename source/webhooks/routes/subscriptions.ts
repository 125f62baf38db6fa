import {statSync} from 'node:fs';
import {join} from 'node:path';
import {insecureSecret} from '../../config/webhooks/refusals.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {
	createSubscriptionStore,
	readSubscription,
	type Subscription,
	type SubscriptionContext,
	subscriptionsFile,
} from '../../config/webhooks/subscriptions.ts';
import {type Publish} from '../../state/event.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The dynamic routes of a state directory (docs/webhooks.md, Subscriptions). */
type Subscriptions = {
	/** True when the file changed since the last `read`. One `stat`, cheap enough for each request. */
	readonly isStale: () => boolean;
	/** The entries that this configuration can serve. An unusable file changes nothing: the previous entries stay. */
	readonly read: (webhook: SubscriptionContext['webhook']) => readonly RouteConfig[];
	/** Whether the file could be read since the start; a missing one counts as empty. */
	readonly wereRead: () => boolean;
	/** Logs a problem of a subscription. */
	readonly report: (problem: Problem) => void;
};

/** A larger file is not read. */
const largestFileBytes = 4 * 1_048_576;

/** Creates the subscriptions of a profile's directory; nothing is read yet. A skipped entry is logged with its reason. */
export function createSubscriptions(options: {
	readonly directory: string;
	readonly expand: (text: string, profile?: string) => string;
	readonly publish: Publish;
	/** Receives each secret, so that it is masked. */
	readonly learnSecret: (secret: string) => void;
}): Subscriptions {
	const {directory, expand, publish, learnSecret} = options;
	const path = join(directory, subscriptionsFile);
	const store = createSubscriptionStore(directory);
	let version: string | undefined;
	let entries: JsonObject | undefined;

	const report = (problem: Problem) => {
		publish({type: 'log', level: problem.level, area: 'webhooks', text: safeText(problemLine(problem))});
	};

	const refresh = () => {
		const found = versionOf(path);
		if (found.text === version) {
			return;
		}

		version = found.text;
		try {
			if (found.bytes > largestFileBytes) {
				throw new Problem('config_unreadable', {message: `${path} is larger than 4 MB`});
			}

			entries = store.read();
		} catch (error) {
			report(toProblem(error, 'config_unreadable'));
			publish({type: 'log', level: 'warning', area: 'webhooks', text: 'The previous subscriptions stay in use'});
		}
	};

	return {
		report,
		wereRead: () => entries !== undefined,
		isStale: () => versionOf(path).text !== version,
		read(webhook) {
			refresh();
			const subscriptions = Object.entries(entries ?? {}).map(([name, entry]) =>
				readSubscription(name, entry, {webhook, expand}),
			);
			for (const {route, problems} of subscriptions) {
				route?.secrets
					.map(secret => expand(secret, route.profile))
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

/** Changes with every write: an atomic write replaces the file, any other changes its time. */
function versionOf(path: string): {readonly text: string; readonly bytes: number} {
	try {
		// Without the error for a missing file, which is costly: this runs at each request.
		const found = statSync(path, {bigint: true, throwIfNoEntry: false});
		return found
			? {text: `${found.mtimeNs} ${found.ino} ${found.size}`, bytes: Number(found.size)}
			: {text: 'absent', bytes: 0};
	} catch {
		return {text: 'absent', bytes: 0};
	}
}
