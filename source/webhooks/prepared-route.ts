import {insecureSecret, isUnresolved} from '../config/refusals.ts';
import {type RouteConfig} from '../config/route-entry.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {compileFilters, type FilterTest} from './filter.ts';
import {type ListFiles} from './list-file.ts';
import {readSigningKey} from './signing-key.ts';
import {createVerifier, type Verifier} from './verifier.ts';

/** Who may pass: whoever signed with one of the keys, or anyone. */
export type Gate = {readonly kind: 'signed'; readonly verify: Verifier} | {readonly kind: 'unsafe-none'};

/** One route made ready to receive: keys derived, patterns compiled. */
export type PreparedRoute = {
	readonly config: RouteConfig;
	readonly gate: Gate;
	/** A paused route verifies its senders, and answers them that it is paused. */
	readonly service: {readonly kind: 'open'; readonly test: FilterTest} | {readonly kind: 'paused'};
	/** What a person should mend. */
	readonly problems: readonly Problem[];
};

/** What preparing needs from outside. */
export type PrepareOptions = {
	/** Expands the variable references of a secret; one that is not set stays as written. */
	readonly expand: (text: string) => string;
	readonly lists: ListFiles;
};

/** Makes a route ready. Never throws: what cannot be used is a Problem, and concerns this route alone. */
export function prepareRoute(config: RouteConfig, options: PrepareOptions): PreparedRoute {
	const {gate, problems} = openGate(config, options.expand);
	const test = compileFilters(config.filters, options.lists);
	if (test instanceof Problem) {
		const refusal = onRoute(config, 'pattern_refused', test.message);
		return {config, gate, service: {kind: 'paused'}, problems: [...problems, refusal]};
	}

	return {config, gate, service: config.enabled ? {kind: 'open', test} : {kind: 'paused'}, problems};
}

function openGate(
	config: RouteConfig,
	expand: (text: string) => string,
): {readonly gate: Gate; readonly problems: readonly Problem[]} {
	const secrets = config.secrets.map(expand);
	if (secrets.includes(insecureSecret)) {
		return {gate: {kind: 'unsafe-none'}, problems: []};
	}

	const keys = secrets.map(secret => (isUnresolved(secret) ? undefined : readSigningKey(secret)));
	const usable = keys.filter(key => key !== undefined);
	const isComplete = usable.length === keys.length && keys.length > 0;
	return {
		gate: {kind: 'signed', verify: createVerifier(usable)},
		problems: isComplete ? [] : [onRoute(config, 'route_without_secret', unusableSecret)],
	};
}

const unusableSecret = 'found a secret that is empty, names a variable that is not set, or is no base64 after whsec_';

function onRoute(config: RouteConfig, code: 'pattern_refused' | 'route_without_secret', message: string): Problem {
	return new Problem(code, {
		message: `route ${safeText(config.name, {maximumCharacters: 100})}: ${message}`,
		scope: {kind: 'route', name: config.name},
		place: config.place,
	});
}
