import {type RehearsalFacts} from '../../approvals/rehearsal.ts';
import {type Rule} from '../../approvals/rule.ts';
import {type ControlParams} from '../../control/methods.ts';
import {type CallPageJson, callPageToJson} from '../../control/run-wire.ts';
import {type Journal, openJournal} from '../../journal/journal.ts';
import {loadProfile, type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';
import {builtInServer, calledName, openRuleStore, validRules} from './rule-access.ts';

/** Pages of recorded calls, whichever process has the journal open. */
export type RecordedCalls = {readonly page: (query: ControlParams<'calls.page'>) => Promise<CallPageJson>};

/** What a rehearsal reads from the files of a profile. */
export type RehearsalSources = {
	/** The rules of config.yaml and the stored ones. */
	readonly rules: readonly Rule[];
	readonly facts: Omit<RehearsalFacts, 'inputSchemaOf'>;
	/** Opens the journal in this process. */
	readonly openCalls: () => RecordedCalls & {readonly close: () => Promise<void>};
};

/** Reads the rules of a profile, and what else decides about its calls. Rejects with `rules_invalid`, or `config_unreadable` for the stored ones. */
export async function readRehearsalSources(runtime: RuntimeContext): Promise<RehearsalSources> {
	const context = await loadProfile(runtime);
	const {paths, clock, current} = context;
	const {rules: remembered, pins = []} = openRuleStore(paths.directory).read();
	const trusts = new Map(current().config.servers.map(({name, trust}) => [name, trust]));
	const approved = new Set(
		remembered
			.filter(({state}) => state === 'valid')
			.map(({server, tool, fingerprint}) => JSON.stringify([server, tool, fingerprint])),
	);
	return {
		rules: validRules(context),
		facts: {
			// Of a server that is gone nothing is known.
			trustOf: server => trusts.get(server) ?? (server === builtInServer ? 'full' : 'untrusted'),
			isRemembered: ({server, tool}, fingerprint) => approved.has(JSON.stringify([server, tool, fingerprint])),
			pins,
			registeredName: calledName,
		},
		openCalls() {
			const journal = openJournal({path: paths.journal, clock, limits: () => current().config.journal});
			return {...recordedCalls(context, journal), close: journal.close};
		},
	};
}

/** The recorded calls of a profile: the same through the socket and in a process of its own. */
export function recordedCalls(
	{paths}: Pick<ProfileContext, 'paths'>,
	journal: Pick<Journal, 'listCallPage'>,
): RecordedCalls {
	return {
		page: async ({since, before}) =>
			callPageToJson(
				await journal.listCallPage({
					profile: paths.profile,
					...(since !== null && {since}),
					...(before !== null && {before}),
				}),
			),
	};
}
