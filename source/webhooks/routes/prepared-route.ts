import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type RouteAuth, createRouteAuth} from './route-auth.ts';
import {answerHandshake} from './handshake.ts';
import {type ListFiles} from '../filters/list-file.ts';
import {compileFilters, type FindRefusal} from '../filters/route-filters.ts';
import {routeProblem} from './route-problem.ts';

/** The answer to a provider that asks whether somebody is there; undefined for an event. */
type Handshake = (payload: JsonValue) => JsonObject | undefined;

/** One route made ready to receive: keys derived, patterns compiled. */
export type PreparedRoute = {
	readonly config: RouteConfig;
	readonly auth: RouteAuth;
	/** The header in which senders send the secret itself, in lower case: it must not reach a row. */
	readonly secretHeader: string | undefined;
	/** A paused route verifies its senders, and answers them that it is paused. */
	readonly service:
		| {readonly kind: 'open'; readonly findRefusal: FindRefusal; readonly handshake: Handshake}
		| {readonly kind: 'paused'};
	/** What a person should mend. */
	readonly problems: readonly Problem[];
};

/** What preparing needs from outside. */
export type PrepareOptions = {
	/** Expands the variable references of a secret; one that is not set stays as written. */
	readonly expand: (text: string, profile?: string) => string;
	readonly lists: ListFiles;
	/** The lists of a route that another profile serves. Default: `lists`. */
	readonly listsOf?: (profile: string) => ListFiles;
};

/** Makes a route ready. Never throws: what cannot be used is a Problem, and concerns this route alone. */
export function prepareRoute(config: RouteConfig, options: PrepareOptions): PreparedRoute {
	const {auth, problems} = createRouteAuth(config, text => options.expand(text, config.profile));
	const secretHeader = config.signature?.algorithm === 'token' ? config.signature.header : undefined;
	const findRefusal = compileFilters(config.filters, listsFor(config, options));
	if (findRefusal instanceof Problem) {
		const refusal = routeProblem(config, 'pattern_refused', findRefusal.message);
		return {config, auth, secretHeader, service: {kind: 'paused'}, problems: [...problems, refusal]};
	}

	const handshake: Handshake = payload => answerHandshake(config.signature?.handshake, payload);
	return {
		config,
		auth,
		secretHeader,
		service: config.enabled ? {kind: 'open', findRefusal, handshake} : {kind: 'paused'},
		problems,
	};
}

function listsFor({profile}: RouteConfig, {lists, listsOf}: PrepareOptions): ListFiles {
	return profile === undefined ? lists : (listsOf?.(profile) ?? lists);
}
