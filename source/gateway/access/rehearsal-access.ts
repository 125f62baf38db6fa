import {type RehearsalFacts} from '../../approvals/rehearsal.ts';
import {type Rule} from '../../approvals/rule.ts';
import {type ControlParams} from '../../control/methods.ts';
import {type CallPageJson, callPageToJson} from '../../control/run-wire.ts';
import {type Journal} from '../../journal/journal.ts';
import {openConfiguredJournal} from '../journal/configured-journal.ts';
import {type OpenProfile, loadOpenProfile} from '../profiles/open-profile.ts';
import {type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';
import {definitionKey, type ProfileFacts, rehearsalFacts} from './rehearsal-facts.ts';
import {openRuleStore, readRules} from './rule-access.ts';

/** Pages of recorded calls, whichever process has the journal open. */
export type RecordedCalls = {readonly page: (query: ControlParams<'calls.page'>) => Promise<CallPageJson>};

/** What a rehearsal reads from a profile. */
export type RehearsalSources = {
	/** The rules of config.yaml and the stored ones. */
	readonly rules: readonly Rule[];
	readonly facts: Omit<RehearsalFacts, 'inputSchemaOf'>;
	/** Opens the journal in this process. */
	readonly openCalls: () => Promise<RecordedCalls & {readonly close: () => Promise<void>}>;
};

/** Reads the rules of a profile, and what else decides about its calls. Rejects with `rules_invalid`, or `config_unreadable` for the stored ones. */
export async function readRehearsalSources(runtime: RuntimeContext): Promise<RehearsalSources> {
	const context = await loadOpenProfile(runtime);
	return {
		rules: readRules(context),
		facts: rehearsalFacts({...readProfileFacts(context), inputSchemas: new Map()}),
		async openCalls() {
			const journal = await openConfiguredJournal(context);
			return {...recordedCalls(context, journal), close: journal.close};
		},
	};
}

/** What a profile has that says about its calls. Throws `config_unreadable`. */
export function readProfileFacts({
	documents,
	current,
}: Pick<OpenProfile, 'documents' | 'current'>): Omit<ProfileFacts, 'inputSchemas'> {
	const {rules: remembered, pins = []} = openRuleStore(documents).read();
	return {
		trusts: new Map(current().config.servers.map(({name, trust}) => [name, trust])),
		approved: new Set(remembered.filter(({state}) => state === 'valid').map(definitionKey)),
		// Their definitions would be much to copy.
		pins: pins.map(({rule, server, tool, fingerprint}) => ({rule, server, tool, fingerprint})),
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
