import {type ReloadSummary} from '../mcp/connections.ts';
import {type RecoverableJournal} from '../journal/recoverable-journal.ts';
import {errorText, Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type AgentService} from './agent-service.ts';
import {type EndpointService} from './endpoint-service.ts';
import {type ProfileContext} from './profiles/profile-context.ts';
import {type Profiles} from './profiles/profiles.ts';
import {type WebhookService} from './webhook-service.ts';

/** Takes over changed configurations while the gateway runs. */
export type Reloads = {
	readonly reload: () => Promise<ReloadSummary>;
	/** Refuses further reloads and waits for the one under way. */
	readonly close: () => Promise<unknown>;
};

/** Reloads one after another: a file that is saved twice must not be applied in the wrong order. */
export function createReloads(parts: {
	readonly context: ProfileContext;
	readonly stored: Pick<RecoverableJournal, 'tryAgain'>;
	readonly profiles: Profiles;
	readonly events: Pick<WebhookService, 'apply'>;
	readonly agents: Pick<AgentService, 'apply'>;
	readonly endpoint: Pick<EndpointService, 'apply'>;
}): Reloads {
	const {context, stored, profiles, events, agents, endpoint} = parts;
	let last: Promise<unknown> = Promise.resolve();
	let phase: 'open' | 'closed' = 'open';
	const run = async () => {
		if (phase === 'closed') {
			throw new Problem('cancelled', {message: 'The gateway is stopping'});
		}

		for (const profile of profiles.all) {
			await profile.context.reload();
		}

		stored.tryAgain();
		const summary = profiles.apply();
		agents.apply();
		await events.apply();
		await endpoint.apply();
		context.publish({type: 'log', level: 'info', area: 'reload', text: summaryText(summary)});
		return summary;
	};

	return {
		reload() {
			const next = last.then(run);
			last = next.catch((caught: unknown) => {
				const text = `The reload failed: ${safeText(errorText(caught))}`;
				context.publish({type: 'log', level: 'error', area: 'reload', text});
			});
			return next;
		},
		close() {
			phase = 'closed';
			return last;
		},
	};
}

/** What changed, by name; nothing else is worth a line. */
function summaryText({added, removed, reconnected, unchanged}: ReloadSummary): string {
	const parts = Object.entries({added, removed, reconnected}).filter(([, names]) => names.length > 0);
	const words = parts.map(([what, names]) => `${what} ${names.map(name => safeText(name)).join(', ')}`);
	return [...words, `${unchanged.length} unchanged`].join(' · ');
}
