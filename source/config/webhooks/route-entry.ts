import {type Destination} from '../../util/destinations.ts';
import {type FilePosition, type Problem} from '../../util/problem.ts';
import {targetFault, toDestinations, toFailureDestinations} from '../platforms/destinations.ts';
import {toBoolean, toNumber, toTexts} from '../values/fields.ts';
import {type KeyPath} from '../values/problem-list.ts';
import {readSection} from '../values/read-section.ts';
import {refuse, report, type Section, warn} from '../values/section.ts';
import {answerTemplateFault} from './answer-template.ts';
import {answersOf, type RespondConfig, toRespond} from './respond-entry.ts';
import {isMalformed, parseFilters, type RouteFilter} from './route-filter.ts';
import {coalesceDefaults, readableRouteSchema, type RouteEntry} from './route-schema.ts';
import {
	challengeFault,
	presetNameOf,
	secretFault,
	type SenderRules,
	takesMapping,
	toSenderRules,
} from './sender-rules.ts';
import {signatureFault} from './signature-scheme.ts';

/** One route, static or dynamic (docs/webhooks.md, Routes and profiles). Secrets still contain unresolved references. */
export type RouteConfig = SenderRules & {
	readonly name: string;
	/** Empty: all events. */
	readonly events: readonly string[];
	/** Own secrets, else the global one; any match suffices. Empty: the route must not be served. */
	readonly secrets: readonly string[];
	readonly profile?: string;
	/** Undefined: the whole payload as indented JSON. */
	readonly prompt?: string;
	readonly filters: readonly RouteFilter[];
	/** Path below scripts/ of the script that filters or changes the payload. */
	readonly script?: string;
	readonly skills: readonly string[];
	readonly toolsets?: readonly string[];
	/** Where its answers go. */
	readonly deliver: readonly Destination[];
	/** Where a message about a failure goes. Absent: where its profile says. */
	readonly onFailure?: readonly Destination[];
	readonly action: 'agent' | 'deliver-only';
	readonly enabled: boolean;
	/** The scheduled job that each event fires. */
	readonly cronJob?: string;
	readonly coalesce?: CoalesceConfig;
	/** Runs that may be under way at once; undefined: as many as `agent.max_concurrent_runs` allows. */
	readonly maxRuns?: number;
	/** Absent: the sender gets no result. */
	readonly respond?: RespondConfig;
	/** The largest body; undefined: that of the receiver. */
	readonly maxBodyBytes?: number;
	/** The position of the route in its file; absent for routes that did not come from a file with lines. */
	readonly place?: FilePosition;
};

/** The rule by which a burst of events about one entity becomes one run (docs/webhooks.md, Routes and profiles). */
type CoalesceConfig = {
	/** Payload field or template that identifies the entity. */
	readonly key: string;
	readonly windowSeconds: number;
	readonly maxWaitSeconds: number;
};

/** A route, or why it is not served. `route` is present if it could still be parsed. */
export type ParsedRoute =
	| {readonly kind: 'route'; readonly route: RouteConfig}
	| {readonly kind: 'broken'; readonly problem: Problem; readonly route?: RouteConfig};

/**
Reads one route; `section` is the route. The global secrets apply to a route without a secret of its own: an empty string is a missing secret,
not a request for the global one (docs/webhooks.md, Answers).
*/
export function parseRouteEntry(
	name: string,
	entry: unknown,
	context: {readonly section: Section; readonly globalSecrets: readonly string[]},
): ParsedRoute {
	const {section, globalSecrets} = context;
	const reading = readSection(readableRouteSchema(), entry, section);
	if (reading.kind === 'broken') {
		return reading;
	}

	const {value} = reading;
	const place = section.problems.place(section.path, 'key');
	const route: RouteConfig = {...toRoute(name, value, globalSecrets), place};
	const problem = checkRoute(route, value, section);
	return problem ? {kind: 'broken', problem, route} : {kind: 'route', route};
}

/** Converts a parsed entry to a route. The global secrets apply to a route without a secret of its own. */
function toRoute(name: string, value: RouteEntry, globalSecrets: readonly string[]): RouteConfig {
	const rules = toSenderRules(value);
	return {
		name,
		events: toTexts(value.events) ?? [],
		secrets: takesMapping(rules.signature) ? [] : (toSecrets(value.secret) ?? globalSecrets),
		profile: value.profile || undefined,
		...rules,
		prompt: value.prompt,
		filters: parseFilters(value.filters),
		script: value.script || undefined,
		skills: toTexts(value.skills) ?? [],
		toolsets: toTexts(value.toolsets),
		deliver: toDestinations(value.deliver, value.deliver_extra),
		onFailure: toFailureDestinations(value.on_failure),
		action: toBoolean(value.deliver_only) ? 'deliver-only' : 'agent',
		enabled: toBoolean(value.enabled) ?? true,
		cronJob: value.cron_job || undefined,
		coalesce: toCoalesce(value.coalesce),
		maxRuns: value.max_runs === undefined ? undefined : Number(value.max_runs),
		respond: toRespond(value.respond, presetNameOf(value)),
		maxBodyBytes: value.max_body_bytes === undefined ? undefined : Number(value.max_body_bytes),
	};
}

/** The non-empty secrets at a `secret` key; undefined when the key is absent. */
export function toSecrets(written: RouteEntry['secret']): readonly string[] | undefined {
	if (written === undefined) {
		return undefined;
	}

	return [written]
		.flat()
		.filter(secret => typeof secret === 'string')
		.filter(secret => secret.trim() !== '');
}

function toCoalesce(written: RouteEntry['coalesce']): CoalesceConfig | undefined {
	return (
		written && {
			key: written.key,
			windowSeconds: toNumber(written.window_seconds, coalesceDefaults.windowSeconds),
			maxWaitSeconds: toNumber(written.max_wait_seconds, coalesceDefaults.maxWaitSeconds),
		}
	);
}

/** Reports the problems of a parsed route; returns the one that prevents it from being served. */
function checkRoute(route: RouteConfig, written: RouteEntry, section: Section): Problem | undefined {
	warnMalformed(route.filters, section);
	return (
		checkTargets(route.deliver, ['deliver'], section) ??
		checkTargets(route.onFailure ?? [], ['on_failure', 'deliver'], section) ??
		checkSender(route, written, section) ??
		checkRespond(route, section)
	);
}

function checkRespond({respond}: RouteConfig, section: Section): Problem | undefined {
	const fault = respond && answerTemplateFault(respond);
	if (fault !== undefined) {
		return refuse(section, ['respond', 'body'], `The template cannot be parsed as ${respond?.contentType}. ${fault}`);
	}

	const {takes} = (respond && answersOf(respond)) ?? {};
	if (respond && takes && !takes.includes(respond.contentType)) {
		const allowed = takes.join(', ');
		warn(
			section,
			['respond'],
			`The provider does not understand answers of ${respond.contentType}. Allowed: ${allowed}`,
		);
	}

	return undefined;
}

function warnMalformed(filters: readonly RouteFilter[], section: Section): void {
	if (filters.some(isMalformed)) {
		const allowed = 'a field with one operator, or `all`, `any` or `not` with filters';
		warn(section, ['filters'], `A filter cannot be read and matches no event. Allowed: ${allowed}`);
	}
}

function checkTargets(destinations: readonly Destination[], key: KeyPath, section: Section): Problem | undefined {
	const message = targetFault(destinations);
	return message === undefined
		? undefined
		: report(section, {code: 'unknown_target', level: 'error', key, part: 'value', message});
}

function checkSender(route: RouteConfig, written: RouteEntry, section: Section): Problem | undefined {
	const signature = written.signature && signatureFault(written.signature);
	if (signature !== undefined) {
		return refuse(section, ['signature'], signature);
	}

	const secret = secretFault(written, route);
	if (secret !== undefined) {
		return refuse(section, ['secret'], secret);
	}

	const challenge = challengeFault(written);
	return challenge === undefined ? undefined : refuse(section, ['challenge'], challenge);
}
