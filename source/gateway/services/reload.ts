import {type RecoverableJournal} from '../../journal/recoverable-journal.ts';
import {type ConfigInForce} from '../../state/event.ts';
import {errorText, Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type AgentService} from './agent-service.ts';
import {type Closing} from './closing.ts';
import {type EndpointService} from './endpoint-service.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type Profile, type Profiles} from './profiles.ts';
import {type GatewayReload, readInForce, readSettings, reloadText, summarizeReload} from './reload-summary.ts';
import {type RemoteAccess} from './remote-access.ts';
import {type SpendingLimits} from './spending-limits.ts';
import {type WebhookService} from './webhook-service.ts';

/** A config.yaml that cannot be used, and what to do about it. */
type UnusableFile = {
	readonly profile: string;
	readonly code: string;
	readonly message: string;
	readonly remedy: string;
	/** The part in force instead; absent: all of the former configuration. */
	readonly in_force?: ConfigInForce | undefined;
};

/** Takes over changed configurations while the gateway runs. */
export type Reloads = {
	readonly reload: () => Promise<GatewayReload & {readonly unusable: UnusableFile[]}>;
	/** Refuses further reloads and waits for the one under way. */
	readonly close: () => Promise<unknown>;
};

/** Reloads one after another: a file that is saved twice must not be applied in the wrong order. */
export function createReloads(parts: {
	readonly context: ProfileContext;
	readonly stored: Pick<RecoverableJournal, 'tryAgain'>;
	readonly profiles: Profiles;
	readonly events: Pick<WebhookService, 'apply' | 'inForce'>;
	readonly agents: Pick<AgentService, 'apply'>;
	readonly spending: Pick<SpendingLimits, 'apply'>;
	readonly endpoint: Pick<EndpointService, 'apply'>;
	readonly remote: Pick<RemoteAccess, 'apply'>;
}): Reloads {
	const {context, stored, profiles, events, agents, spending, endpoint, remote} = parts;
	let last: Promise<unknown> = Promise.resolve();
	let phase: 'open' | 'closed' = 'open';
	let inForce = readInForce(profiles, events.inForce());
	let settings = readSettings(profiles);
	const run = async () => {
		if (phase === 'closed') {
			throw new Problem('cancelled', {message: 'The gateway is stopping'});
		}

		for (const profile of profiles.all) {
			await profile.context.reload();
		}

		stored.tryAgain();
		const servers = profiles.apply();
		agents.apply();
		await spending.apply();
		await events.apply();
		profiles.all.forEach(({cron}) => cron.refresh());
		await endpoint.apply();
		await remote.apply();
		const before = inForce;
		inForce = readInForce(profiles, events.inForce(), before);
		const summary = summarizeReload(servers, before, inForce);
		const former = settings;
		settings = readSettings(profiles);
		const unusable = profiles.all.flatMap(unusableFile);
		const files = unusable.length === 0 ? 'usable' : 'unusable';
		const text = reloadText(summary, {before: former, now: settings, files});
		context.publish({type: 'log', level: 'info', area: 'reload', text});
		return {...summary, unusable};
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

/** A saved file is taken over by itself. */
export async function watchFiles(
	contexts: readonly ProfileContext[],
	reload: Reloads['reload'],
	closing: Pick<Closing, 'push'>,
): Promise<void> {
	const {watchFile} = await import('../../config/read/watch.ts');
	// A reload that fails has logged why.
	const onChange = () => void reload().catch(() => undefined);
	for (const {paths, firstStamp} of contexts) {
		closing.push(watchFile(paths.config, onChange, firstStamp).close);
	}
}

function unusableFile({name, context}: Profile): UnusableFile[] {
	const problem = context.unusable();
	return problem
		? [
				{
					profile: name,
					code: problem.code,
					message: context.redactor.redact(problemLine(problem, context.paths.directory)),
					remedy: problem.remedy,
					in_force: context.inForce(),
				},
			]
		: [];
}
