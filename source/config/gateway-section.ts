import {toBoolean} from './bool-like.ts';
import {readSection} from './read-section.ts';
import {type Section} from './section.ts';
import {gatewaySchema} from './settings-schema.ts';
import {toTexts} from './text-like.ts';

/** Which profiles one gateway serves beside its own (spec/decisions.md, D12). */
export type ServedProfiles =
	| {readonly kind: 'own'}
	| {readonly kind: 'all'}
	| {readonly kind: 'listed'; readonly names: readonly string[]};

/** The `gateway` section. */
export type GatewaySection = {readonly profiles: ServedProfiles};

/** Reads `gateway`; a section that cannot be used is told about and the defaults stand. */
export function parseGateway(written: unknown, section: Section): GatewaySection {
	const reading = readSection(gatewaySchema, written ?? {}, section);
	const value = reading.kind === 'read' ? reading.value : {};
	return {profiles: servedProfiles(value.multiplex_profiles, toTexts(value.profiles))};
}

function servedProfiles(multiplex: unknown, names: readonly string[] | undefined): ServedProfiles {
	if (toBoolean(multiplex) !== true) {
		return {kind: 'own'};
	}

	return names && names.length > 0 ? {kind: 'listed', names} : {kind: 'all'};
}
