import {randomBytes} from 'node:crypto';
import {isProfileName} from '../../config/read/state-paths.ts';
import {filtersSchema} from '../../config/webhooks/route-filter.ts';
import {readSubscription, type Subscription} from '../../config/webhooks/subscriptions.ts';
import {isJsonObject, type JsonObject, type JsonValue, ownMember, parseJson} from '../../util/json-text.ts';
import {type RemovedRouteJson, type SubscribedJson} from '../../state/json/event.ts';
import {Problem, problemLine} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type CommandFlags, type ExitCode} from '../cli/command.ts';
import {printResult} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {listOf, onlyWord} from '../cli/words.ts';
import {type OpenRoutes, type RouteRegistry} from './route-registry.ts';
import {challengeOf, secretOf, signatureOf} from './sender-flags.ts';
import {runningReceiver, webhookUrl} from './webhook-url.ts';

const secretBytes = 32;

/** `sluice webhook subscribe NAME`: makes or changes a dynamic route and prints where to post and what to sign with. */
export function runWebhookSubscribe(context: CommandContext, openRoutes: OpenRoutes): Promise<ExitCode> {
	return runCommand(context, async () => {
		const typed = onlyWord(context, 'sluice webhook subscribe NAME [flags], see --help');

		const wanted = subscriptionName(typed);
		const registry = await openRoutes();
		await refuseWhenOff(context, registry);
		const subscription = await subscribe(wanted, context, registry);
		const {name, route} = subscription;
		const url = await webhookUrl(context, registry.webhook, route);
		const [secret = ''] = route.secrets;
		printResult(context, {name, url, secret} satisfies SubscribedJson, routeText({name, url, secret}));
		await printWarnings(context, subscription, registry);
		return 0;
	});
}

/** The lines that a person copies to the provider. */
export function routeText({name, url, secret}: SubscribedJson): string {
	return `Name    ${name}\nURL     ${safeText(url)}\n${secret === '' ? '' : `Secret  ${safeText(secret)}\n`}`;
}

/** The problems of a subscription that is served all the same. */
export async function printWarnings(
	context: Pick<CommandContext, 'stderr'>,
	{route, problems}: Accepted,
	{checkDelivery}: Pick<RouteRegistry, 'checkDelivery'>,
): Promise<void> {
	for (const problem of [...problems, ...(await checkDelivery(route))]) {
		context.stderr(`sluice: ${safeText(problemLine(problem))}\n`);
	}
}

/** A subscription that nothing receives is a silent loss. A running gateway may receive although its files do not say so: by its environment. */
export async function refuseWhenOff(context: CommandContext, {webhook}: RouteRegistry): Promise<void> {
	if (!webhook.enabled && typeof (await runningReceiver(context))?.url !== 'string') {
		throw new Problem('webhooks_off', {message: 'Webhooks are off; nothing was written'});
	}
}

/** `sluice webhook remove NAME`: takes a subscription out of its file. A route of config.yaml is removed there. */
export function runWebhookRemove(context: CommandContext, openRoutes: OpenRoutes): Promise<ExitCode> {
	return runCommand(context, async () => {
		const typed = onlyWord(context, 'sluice webhook remove NAME');

		const {subscriptions, webhook} = await openRoutes();
		let name = typed;
		await subscriptions.update(stored => {
			name = storedName(typed, stored, webhook);
			const {[name]: _, ...kept} = stored;
			return kept;
		}, context.clock);
		printResult(context, {name} satisfies RemovedRouteJson, '');
		context.stderr(`Removed ${safeText(name, {maximumCharacters: 100})}.\n`);
		return 0;
	});
}

/** The name under which a subscription is stored. Throws `unknown_route` when it is not. */
function storedName(typed: string, stored: JsonObject, webhook: RouteRegistry['webhook']): string {
	// An entry somebody wrote by hand may have any name.
	const name = [typed, normalized(typed)].find(one => Object.hasOwn(stored, one));
	if (name !== undefined) {
		return name;
	}

	const isConfigured = [...webhook.routes, ...webhook.brokenRoutes].some(route => route.name === typed);
	const shown = safeText(typed, {maximumCharacters: 100});
	throw new Problem('unknown_route', {
		message: isConfigured
			? `${shown} is a route in config.yaml; remove it there`
			: `There is no subscription named ${shown}`,
	});
}

/** Makes or changes the subscription as the flags ask for. Rejects with the Problem for which it would not be served. */
export async function subscribe(
	name: string,
	{flags, clock}: CommandContext,
	registry: RouteRegistry,
): Promise<Accepted> {
	checkProfile(flags.routeProfile, registry);
	const created = {
		secret: randomBytes(secretBytes).toString('base64url'),
		created_at: new Date(clock.now()).toISOString(),
	};
	const entryIn = (stored: JsonObject) =>
		withJobId(subscriptionEntry(ownMember(stored, name), flags, created), flags, registry);
	let subscription = checkedSubscription(name, entryIn(registry.subscriptions.read()), registry);
	await registry.subscriptions.update(stored => {
		const entry = entryIn(stored);
		subscription = checkedSubscription(name, entry, registry);
		return {...stored, [name]: entry};
	}, clock);
	return subscription;
}

/** A job that is named now is kept by its id, so that it may be renamed. Throws `unknown_job` when no job is meant. */
function withJobId(entry: JsonObject, {cronJob}: CommandFlags, {findJobId}: RouteRegistry): JsonObject {
	const {profile} = entry;
	if (!cronJob) {
		return entry;
	}

	const id = findJobId(cronJob, typeof profile === 'string' ? profile : undefined);
	if (id instanceof Problem) {
		throw id;
	}

	return {...entry, cron_job: id};
}

/** The subscription of an entry, checked as the gateway will check it. Throws the Problem for which it would not be served. */
function checkedSubscription(name: string, entry: JsonObject, registry: RouteRegistry): Accepted {
	const subscription = accepted(readSubscription(name, entry, registry));
	const {cronJob, profile} = subscription.route;
	const fault = cronJob === undefined ? undefined : registry.checkJob(cronJob, profile);
	if (fault) {
		throw fault;
	}

	return subscription;
}

/** A route of a profile that is not there would be served by nobody. */
function checkProfile(profile: string | undefined, {hasProfile}: RouteRegistry): void {
	if (profile === undefined || profile === '') {
		return;
	}

	if (!isProfileName(profile)) {
		throw new Problem('bad_usage', {message: '--route-profile must be the name of a profile'});
	}

	if (!hasProfile(profile)) {
		throw new Problem('bad_usage', {message: `There is no profile "${profile}"; nothing was written`});
	}
}

type Accepted = Subscription & {readonly route: NonNullable<Subscription['route']>};

/** The subscription when it would be served; else nothing is written and every reason is named. */
function accepted(subscription: Subscription): Accepted {
	const {route, state, problems} = subscription;
	if (state === 'served' && route) {
		return {...subscription, route};
	}

	const [first] = problems;
	const message = problems.map(problem => problem.message).join('; ');
	throw new Problem(first?.code ?? 'config_invalid', {message, ...(first && {remedy: first.remedy})});
}

/** The name under which a subscription is kept (docs/webhooks.md, Answers). Throws `bad_usage` for one that cannot be made to fit. */
export function subscriptionName(typed: string): string {
	const name = normalized(typed);
	if (!/^[a-z0-9][a-z0-9_-]*$/u.test(name)) {
		throw new Problem('bad_usage', {
			message:
				'The name of a subscription may only have letters a-z, digits, - and _, and must begin with a letter or digit',
		});
	}

	return name;
}

function normalized(typed: string): string {
	return typed.trim().toLowerCase().replaceAll(/\s/gu, '-');
}

/**
The entry that the flags ask for. On update what no flag names stays as it was, the secret above all; an empty text takes a key away.
`created` is what a new entry gets beside: its secret and its time.
*/
export function subscriptionEntry(
	previous: JsonValue | undefined,
	flags: CommandFlags,
	created: {readonly secret: string; readonly created_at: string},
): JsonObject {
	const before: JsonObject = isJsonObject(previous) ? previous : {created_at: created.created_at};
	const changes: Readonly<Record<string, JsonValue | undefined>> = {
		description: flags.description,
		events: flags.events === undefined ? undefined : listOf(flags.events),
		prompt: flags.prompt,
		deliver: deliverOf(flags.deliver),
		deliver_extra: deliverExtra(before['deliver_extra'], flags),
		deliver_only: flags.deliverOnly,
		on_failure: onFailureOf(before['on_failure'], flags.onFailure),
		signature: signatureOf(before['signature'], flags),
		challenge: challengeOf(before['challenge'], flags),
		filters: flags.filter === undefined ? undefined : filtersOf(flags.filter),
		script: flags.script,
		skills: flags.skills === undefined ? undefined : listOf(flags.skills),
		coalesce: coalesceOf(before['coalesce'], flags.coalesce),
		cron_job: flags.cronJob,
		profile: flags.routeProfile,
	};
	const asked = Object.entries(changes).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
	const entry: JsonObject = {...before, ...Object.fromEntries(asked)};
	const merged = Object.entries({...entry, secret: secretOf(entry, flags, created.secret)});
	return Object.fromEntries(merged.filter(([key, value]) => !(key in changes && isEmpty(value))));
}

/** One name is written as a text, several as a list. */
function deliverOf(names: string | undefined): JsonValue | undefined {
	return names?.includes(',') ? listOf(names) : names;
}

/** The keys of the former value stay; no name takes all of it away. */
function onFailureOf(previous: JsonValue | undefined, names: string | undefined): JsonValue | undefined {
	const deliver = deliverOf(names);
	return deliver === undefined || deliver === '' ? deliver : {...(isJsonObject(previous) && previous), deliver};
}

/** The former keys with those that the flags name; an empty value removes a key. Undefined when no flag names one. */
function deliverExtra(
	previous: JsonValue | undefined,
	{deliverChatId, extra = []}: Pick<CommandFlags, 'deliverChatId' | 'extra'>,
): JsonValue | undefined {
	const named = [...extra.map(extraKey), ...(deliverChatId === undefined ? [] : [['chat_id', deliverChatId] as const])];
	if (named.length === 0) {
		return undefined;
	}

	const merged = {...(isJsonObject(previous) && previous), ...Object.fromEntries(named)};
	return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}

function extraKey(text: string): readonly [key: string, value: string] {
	const end = text.indexOf('=');
	if (end < 1) {
		throw new Problem('bad_usage', {message: '--extra must be KEY=VALUE'});
	}

	return [text.slice(0, end), text.slice(end + 1)];
}

function filtersOf(text: string): JsonValue {
	const filters = text === '' ? '' : parseJson(text);
	if (filters === undefined || (filters !== '' && !filtersSchema().safeParse(filters).success)) {
		throw new Problem('bad_usage', {
			message: '--filter must be a filter or a list of filters, as JSON',
			remedy: `For example: --filter '{"field":"action","equals":"opened"}'`,
		});
	}

	return filters;
}

/** The windows of the former value stay. */
function coalesceOf(previous: JsonValue | undefined, key: string | undefined): JsonValue | undefined {
	return key === undefined || key === '' ? key : {...(isJsonObject(previous) && previous), key};
}

function isEmpty(value: JsonValue | undefined): boolean {
	return value === undefined || value === '' || value === false || (typeof value === 'object' && isHollow(value));
}

function isHollow(value: object | null): boolean {
	return value !== null && Object.keys(value).length === 0;
}
