import {type RecoverableJournal} from '../journal/recoverable-journal.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {type Nodes} from './journal/nodes.ts';
import {type ProfileContext} from './profiles/profile-context.ts';
import {type AgentService} from './services/agent-service.ts';
import {type Profiles} from './services/profiles.ts';
import {type RemoteAccess} from './services/remote-access.ts';
import {type WebhookService} from './services/webhook-service.ts';

/**
Says to the other gateways of a shared journal that this one is there, and takes up what those leave that are gone: as soon as the journal is open, since
a configuration that could not be read says only then that it is shared.
*/
export function shareJournal(
	{current, version, eventBus, clock}: ProfileContext,
	services: {
		readonly stored: Pick<RecoverableJournal, 'journal' | 'take'> & {
			readonly nodes: Nodes;
			/** The name of this gateway among the others; undefined: it shares its journal with none. */
			readonly sharedAs: () => string | undefined;
			readonly onHint: (hint: 'requests', listener: () => void) => void;
		};
		readonly events: Pick<WebhookService, 'runs' | 'resume'>;
		readonly agents: Pick<AgentService, 'withModel'>;
		readonly profiles: Pick<Profiles, 'all' | 'find' | 'first' | 'recoverCalls' | 'recoverCron'>;
		readonly live: LiveSnapshot;
		readonly remote: Pick<RemoteAccess, 'counts'>;
	},
): void {
	const {stored, events, agents, profiles, live, remote} = services;
	const {nodes, journal, take, sharedAs} = stored;
	stored.onHint('requests', () => profiles.all.forEach(({tools}) => tools.requests.poll()));
	void take(async () => {
		if (sharedAs() === undefined) {
			return;
		}

		const [{createAbilities}, {createOtherWork}, {watchOthers}] = await Promise.all([
			import('./run-abilities.ts'),
			import('./journal/other-work.ts'),
			import('./journal/watch-others.ts'),
		]);
		const [names, first] = [profiles.all.map(({name}) => name), profiles.first.name];
		const abilities = createAbilities(profiles);
		const poll = createOtherWork({journal, live, eventBus, clock, profiles: names, first});
		nodes.start({
			leaseMilliseconds: current().config.journal.leaseMilliseconds,
			facts: () => ({
				version,
				models: agents.withModel(),
				consoles: profiles.all.filter(({tools}) => tools.approvals.hasConsole()).map(({name}) => name),
				abilities: abilities.published(),
				freeSlots: events.runs.free(),
				channels: profiles.all.map(({name}) => name).filter(remote.counts),
			}),
			abilities: abilities.of,
			interrupt: events.runs.interrupt,
			wakeRuns: events.runs.wake,
			watchOthers: () => watchOthers({clock, eventBus, poll}),
			async recover() {
				await events.runs.recover();
				await events.resume();
				await Promise.all([profiles.recoverCalls(), profiles.recoverCron(), journal.cancelAbandonedRequests()]);
			},
		});
		profiles.all.forEach(({tools}) => tools.requests.start());
	});
}
