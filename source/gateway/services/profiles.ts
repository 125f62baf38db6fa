import {type TimedHold} from '../../approvals/hold.ts';
import {type Journal} from '../../journal/journal.ts';
import {type ReloadSummary} from '../../mcp/connections.ts';
import {Problem} from '../../util/problem.ts';
import {type CronService, openCronService} from './cron-service.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {type EndpointTasks, openEndpointTasks} from './endpoint-tasks.ts';
import {createProposals, type Proposals} from './proposals.ts';
import {openToolService, type ToolService, type ToolServiceOptions} from './tool-service.ts';

/** One served profile with what is its own alone: configuration, secrets, tool servers, approvals, cron jobs. */
export type Profile = {
	readonly name: string;
	readonly context: OpenProfile;
	readonly tools: ToolService;
	/** Calls of its clients that became tasks. */
	readonly tasks: EndpointTasks;
	readonly cron: CronService;
	readonly proposals: Proposals;
};

/** All profiles of a gateway (docs/configuration.md, Profiles). */
export type Profiles = {
	/** The one the gateway was started for. */
	readonly first: Profile;
	readonly all: readonly Profile[];
	/** Without a name: the first. Throws `unknown_profile`. */
	readonly find: (name: string | undefined) => Profile;
	/** Connects, keeps and drops servers until each profile has those of its current configuration. Names of other profiles' servers are given as `profile/server`. */
	readonly apply: () => ReloadSummary;
	/** A person is there: questions of every profile may be asked. The returned function says that they left. */
	readonly addConsole: ToolService['addConsole'];
	/** Looks after the cron jobs of every profile, and fires nothing more. Their runs are noted until `stop`. */
	readonly startCron: () => Promise<void>;
	readonly recoverCron: () => Promise<void>;
	/** Publishes calls whose end nobody knows, of an earlier process or of gateways that are gone, and takes over the tasks of those. */
	readonly recoverCalls: () => Promise<void>;
	readonly stopCron: () => Promise<void>;
	readonly stop: () => Promise<void>;
};

function applyServers({tools, tasks}: Pick<Profile, 'tools' | 'tasks'>): ReloadSummary {
	const summary = tools.apply();
	tasks.serversChanged([...summary.removed, ...summary.reconnected]);
	return summary;
}

/** The options of all profiles together. */
type ProfilesOptions = {
	readonly journal: Journal;
	readonly hold: TimedHold;
	readonly others: NonNullable<ToolServiceOptions['others']>;
	readonly wakeRuns: () => void;
	/** The model of a profile, for its servers that ask it. */
	readonly completeOf: (profile: string) => ToolServiceOptions['complete'];
	readonly countCall?: ToolServiceOptions['countCall'];
};

/** Opens the tool services of all profiles; nothing connects before `apply`. */
export function openProfiles(contexts: readonly [OpenProfile, ...OpenProfile[]], options: ProfilesOptions): Profiles {
	const open = (context: OpenProfile): Profile => {
		const tools = openToolService(context, options.journal, {
			hold: options.hold,
			others: options.others,
			complete: options.completeOf(context.paths.profile),
			countCall: options.countCall,
		});
		const isShared = () => options.others.node() !== undefined;
		return {
			name: context.paths.profile,
			context,
			tools,
			tasks: openEndpointTasks(context, options.journal, {tools, isShared}),
			cron: openCronService(context, {...options, clockAhead: options.others.clockAhead}),
			proposals: createProposals(context),
		};
	};

	const [root, ...others] = contexts;
	const first = open(root);
	const all = [first, ...others.map(open)];
	return {
		first,
		all,
		find(name) {
			const found = name === undefined ? first : all.find(profile => profile.name === name);
			if (!found) {
				throw new Problem('unknown_profile', {message: 'This gateway does not serve a profile with that name'});
			}

			return found;
		},
		apply: () =>
			joinSummaries(all.map(one => labelled(applyServers(one), one.name === first.name ? '' : `${one.name}/`))),
		addConsole(browser) {
			const leave = all.map(({tools}) => tools.addConsole(browser));
			return () => leave.forEach(end => end());
		},
		async startCron() {
			await Promise.all(all.map(({cron}) => cron.start()));
		},
		async recoverCron() {
			await Promise.all(all.map(({cron}) => cron.recover()));
		},
		async recoverCalls() {
			await Promise.all(all.flatMap(({tools, tasks}) => [tools.uncertain.recover(), tasks.recover()]));
		},
		async stopCron() {
			await Promise.all(all.map(({cron}) => cron.stop()));
		},
		async stop() {
			const noted = all.map(({cron}) => cron.close());
			all.forEach(({proposals}) => proposals.close());
			const stopped = all.map(async ({tools, tasks}) => {
				await tasks.close();
				await tools.stop();
			});
			await Promise.all([...noted, ...stopped]);
		},
	};
}

function labelled(summary: ReloadSummary, prefix: string): ReloadSummary {
	const label = (names: readonly string[]) => names.map(name => `${prefix}${name}`);
	return {
		added: label(summary.added),
		removed: label(summary.removed),
		reconnected: label(summary.reconnected),
		unchanged: label(summary.unchanged),
	};
}

function joinSummaries(summaries: readonly ReloadSummary[]): ReloadSummary {
	return {
		added: summaries.flatMap(({added}) => added),
		removed: summaries.flatMap(({removed}) => removed),
		reconnected: summaries.flatMap(({reconnected}) => reconnected),
		unchanged: summaries.flatMap(({unchanged}) => unchanged),
	};
}
