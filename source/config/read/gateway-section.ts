import {toBoolean} from '../values/bool-like.ts';
import {readSettings} from '../values/read-section.ts';
import {type Section} from '../values/section.ts';
import {toNumber} from '../values/number-like.ts';
import {endpointDefaults, gatewaySchema} from './settings-schema.ts';
import {toTexts} from '../values/text-like.ts';

/** Which profiles one gateway serves beside its own (docs/configuration.md, Profiles). */
export type ServedProfiles =
	| {readonly kind: 'own'}
	| {readonly kind: 'all'}
	| {readonly kind: 'listed'; readonly names: readonly string[]};

/** Where all tools are offered as one tool server (docs/endpoint.md, What the agent gets; docs/cli.md, Log lines). Host and port are those of the profile the gateway runs for. */
export type EndpointConfig = {
	readonly enabled: boolean;
	readonly host: string;
	readonly port: number;
	/** As written, references included; undefined: it is kept in `.env`. */
	readonly token: string | undefined;
};

/** The `gateway` section. */
export type GatewaySection = {readonly profiles: ServedProfiles; readonly endpoint: EndpointConfig};

/** Reads `gateway`; a section that cannot be used is told about and the defaults stand. */
export function parseGateway(written: unknown, section: Section): GatewaySection {
	const value = readSettings(gatewaySchema, written, section);
	const {enabled, host, port, token} = value.endpoint ?? {};
	return {
		profiles: servedProfiles(value.multiplex_profiles, toTexts(value.profiles)),
		endpoint: {
			enabled: toBoolean(enabled) ?? true,
			host: host || endpointDefaults.host,
			port: toNumber(port, endpointDefaults.port),
			token: token || undefined,
		},
	};
}

function servedProfiles(multiplex: unknown, names: readonly string[] | undefined): ServedProfiles {
	if (toBoolean(multiplex) !== true) {
		return {kind: 'own'};
	}

	return names && names.length > 0 ? {kind: 'listed', names} : {kind: 'all'};
}
