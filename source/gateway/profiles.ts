import {type Journal} from '../journal/journal.ts';
import {type ReloadSummary} from '../mcp/connections.ts';
import {Problem} from '../util/problem.ts';
import {type CronWing, openCronWing} from './cron-wing.ts';
import {type Foundation} from './foundation.ts';
import {createProposals, type Proposals} from './proposals.ts';
import {openToolWing, type ToolWing, type ToolWingOptions} from './tool-wing.ts';

/** One served profile with what is its own alone: configuration, secrets, tool servers, approvals, cron jobs. */
export type Profile = {
	readonly name: string;
	readonly foundation: Foundation;
	readonly tools: ToolWing;
	readonly cron: CronWing;
	readonly proposals: Proposals;
};

/** All profiles of a gateway (spec/decisions.md, D12). */
export type Profiles = {
	/** The one the gateway was started for. */
	readonly first: Profile;
	readonly all: readonly Profile[];
	/** Without a name: the first. Throws `unknown_profile`. */
	readonly find: (name: string | undefined) => Profile;
	/** Connects, keeps and drops servers until each profile has those of its current configuration. Names of other profiles' servers are told as `profile/server`. */
	readonly apply: () => ReloadSummary;
	/** A person is there: questions of every profile may be asked. The returned function says that they left. */
	readonly attachConsole: () => () => void;
	/** Looks after the cron jobs of every profile, and fires nothing more. Their runs are noted until `stop`. */
	readonly startCron: () => Promise<void>;
	readonly stopCron: () => Promise<void>;
	readonly stop: () => Promise<void>;
};

/** Opens the tool wings of all profiles; nothing connects before `apply`. */
export function openProfiles(
	foundations: readonly [Foundation, ...Foundation[]],
	options: {
		readonly journal: Journal;
		readonly wakeRuns: () => void;
		/** The model of a profile, for its servers that ask it. */
		readonly completeOf: (profile: string) => ToolWingOptions['complete'];
	},
): Profiles {
	const open = (foundation: Foundation): Profile => ({
		name: foundation.paths.profile,
		foundation,
		tools: openToolWing(foundation, options.journal, {complete: options.completeOf(foundation.paths.profile)}),
		cron: openCronWing(foundation, options),
		proposals: createProposals(foundation),
	});
	const [root, ...others] = foundations;
	const first = open(root);
	const all = [first, ...others.map(open)];
	return {
		first,
		all,
		find(name) {
			const found = name === undefined ? first : all.find(profile => profile.name === name);
			if (!found) {
				throw new Problem('unknown_profile', {message: 'This gateway does not serve a profile of that name'});
			}

			return found;
		},
		apply: () =>
			joinSummaries(all.map(({name, tools}) => labelled(tools.apply(), name === first.name ? '' : `${name}/`))),
		attachConsole() {
			const leave = all.map(({tools}) => tools.attachConsole());
			return () => leave.forEach(end => end());
		},
		async startCron() {
			await Promise.all(all.map(({cron}) => cron.start()));
		},
		async stopCron() {
			await Promise.all(all.map(({cron}) => cron.stop()));
		},
		async stop() {
			all.forEach(({cron}) => cron.close());
			all.forEach(({proposals}) => proposals.close());
			await Promise.all(all.map(({tools}) => tools.stop()));
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
