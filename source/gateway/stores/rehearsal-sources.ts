import {type RehearsalFacts} from '../../approvals/rehearsal.ts';
import {type Rule} from '../../approvals/rule.ts';
import {type OpenProfile, loadOpenProfile} from '../documents/open-profile.ts';
import {type RuntimeContext} from '../profiles/profile-context.ts';
import {definitionKey, type ProfileFacts, rehearsalFacts} from './rehearsal-facts.ts';
import {createRuleStore, readRules} from './rule-store.ts';

/** The reads of a rehearsal from one profile. */
export type RehearsalSources = {
	/** The rules of config.yaml and the stored ones. */
	readonly rules: readonly Rule[];
	readonly facts: Omit<RehearsalFacts, 'inputSchemaOf'>;
};

/** Reads the rules of a profile, and what else decides about its calls. Rejects with `rules_invalid`, or `config_unreadable` for the stored ones. */
export async function readRehearsalSources(runtime: RuntimeContext): Promise<RehearsalSources> {
	const context = await loadOpenProfile(runtime);
	return {
		rules: readRules(context),
		facts: rehearsalFacts({...readProfileFacts(context), inputSchemas: new Map()}),
	};
}

/** The trust of servers, approved definitions and pins of a profile. Throws `config_unreadable`. */
export function readProfileFacts({
	documents,
	current,
}: Pick<OpenProfile, 'documents' | 'current'>): Omit<ProfileFacts, 'inputSchemas'> {
	const {rules: remembered, pins = []} = createRuleStore(documents).read();
	return {
		trusts: new Map(current().config.servers.map(({name, trust}) => [name, trust])),
		approved: new Set(remembered.filter(({state}) => state === 'valid').map(definitionKey)),
		// Their definitions would be much to copy.
		pins: pins.map(({rule, server, tool, fingerprint}) => ({rule, server, tool, fingerprint})),
	};
}
