import {isLoopbackHost} from '../../config/webhooks/refusals.ts';
import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {repositoryPattern} from '../../delivery/targets/github-comment.ts';
import {type SubscribedJson, type WebhookSetupJson} from '../../state/json/event.ts';
import {parseJson} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {webhookPath} from '../../webhooks/http/incoming-request.ts';
import {z} from 'zod';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printResult} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {createRunTool, firstLine, type RunTool, type ToolResult} from '../cli/run-tool.ts';
import {type Session} from '../cli/session.ts';
import {type OpenRoutes, type RouteRegistry} from './route-registry.ts';
import {printWarnings, refuseWhenOff, routeText, subscribe, subscriptionName} from './subscriptions.ts';
import {webhookBase} from './webhook-url.ts';

const usage = 'sluice webhook setup github OWNER/REPO [--url URL] [flags]';
const patienceSeconds = 30;

/** The webhook as GitHub has it (https://docs.github.com/en/rest/repos/webhooks). */
type HookOfGithub = {
	readonly repository: string;
	readonly url: string;
	readonly secret: string;
	/** `*`: all of them. */
	readonly events: readonly string[];
};

/** `sluice webhook setup github OWNER/REPO`: makes or changes the route of a repository and, with `gh` and a yes, its webhook at GitHub. */
export function runWebhookSetup(
	context: CommandContext,
	openRoutes: OpenRoutes,
	{environment}: Pick<Session, 'environment'>,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const repository = repositoryOf(context.arguments);
		const base = publicBase(context.flags.url);
		const registry = await openRoutes();
		await refuseWhenOff(context, registry);
		const name = subscriptionName(`github-${repository.toLowerCase().replaceAll(/[^a-z0-9_-]/gu, '-')}`);
		const subscription = await subscribe(name, context, registry);
		const {route} = subscription;
		const url = `${base ?? (await webhookBase(context, registry.webhook))}${webhookPath(route)}`;
		const hook = {repository, url, secret: plainSecret(route, registry), events: hookEvents(route)};
		const gh = createGh(createRunTool({environment, ...context, stopSeconds: patienceSeconds}));
		const state = await createHook(context, hook, gh);
		const made = {name, url, secret: route.secrets[0] ?? '', hook: {...state, page: pageOf(repository)}};
		printResult(context, made satisfies WebhookSetupJson, setupText(made, hook.events));
		await printWarnings(context, subscription, registry);
		return 0;
	});
}

function repositoryOf([provider, repository, ...others]: readonly string[]): string {
	if (provider !== 'github' || repository === undefined || others.length > 0) {
		throw new Problem('bad_usage', {message: `Usage: ${usage}`});
	}

	if (!repositoryPattern.test(repository)) {
		const shown = safeText(repository, {maximumCharacters: 150});
		throw new Problem('bad_usage', {message: `"${shown}" is not a repository. Name it as OWNER/REPO`});
	}

	return repository;
}

/** The origin and path of `--url`, without a slash at its end. */
function publicBase(typed: string | undefined): string | undefined {
	if (typed === undefined) {
		return undefined;
	}

	const url = URL.parse(typed);
	if (!url || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
		throw new Problem('bad_usage', {message: '--url must be an address as https://hooks.example.com'});
	}

	return `${url.origin}${url.pathname}`.replace(/\/+$/u, '');
}

function plainSecret({secrets, profile}: RouteConfig, {expand}: Pick<RouteRegistry, 'expand'>): string {
	return expand(secrets[0] ?? '', profile);
}

function hookEvents({events}: RouteConfig): readonly string[] {
	return events.length === 0 ? ['*'] : events;
}

function pageOf(repository: string): string {
	return `https://github.com/${repository}/settings/hooks`;
}

const listedHooks = z.array(z.object({id: z.int(), config: z.object({url: z.string().optional()})}));

/** Calls the API of GitHub through `gh`. */
type Gh = (path: string, method: 'GET' | 'POST' | 'PATCH', body?: object) => Promise<ToolResult>;

function createGh(run: RunTool): Gh {
	return (path, method, body) => {
		const request = ['api', '--method', method, path];
		return body ? run('gh', [...request, '--input', '-'], JSON.stringify(body)) : run('gh', request);
	};
}

/** Creates the webhook, or updates the one with the same address, after a yes; or returns the reason that it is left to the person. */
async function createHook(
	context: CommandContext,
	{repository, url, secret, events}: HookOfGithub,
	gh: Gh,
): Promise<Pick<WebhookSetupJson['hook'], 'state' | 'reason'>> {
	const byHand = (reason: string) => ({state: 'by_hand', reason}) as const;
	const {hostname, host} = new URL(url);
	if (isLoopbackHost(hostname.replace(/^\[|\]$/gu, ''))) {
		return byHand(`GitHub cannot reach ${host}; give the public address with --url`);
	}

	const path = `repos/${repository}/hooks`;
	const listed = await gh(`${path}?per_page=100`, 'GET');
	if (listed.kind === 'missing') {
		return byHand('the program `gh` is not installed (https://cli.github.com)');
	}

	const {data: hooks} = listedHooks.safeParse(listed.code === 0 ? parseJson(listed.stdout) : undefined);
	if (!hooks) {
		return byHand(`\`gh\` could not read the webhooks: ${safeText(firstLine(listed), {maximumCharacters: 300})}`);
	}

	const existing = hooks.find(({config}) => config.url === url);
	const shownEvents = events.includes('*') ? 'all events' : events.join(', ');
	const question = `${existing ? 'Update' : 'Create'} the webhook of github.com/${repository} for ${safeText(shownEvents)}?`;
	const answer = context.flags.yes ? 'yes' : await context.confirm(question);
	if (answer !== 'yes') {
		return byHand(answer === 'no' ? 'you said no' : 'without a terminal it needs --yes');
	}

	const config = {url, content_type: 'json', secret, insecure_ssl: '0'};
	const body = {name: 'web', active: true, events, config};
	const written = existing ? await gh(`${path}/${existing.id}`, 'PATCH', body) : await gh(path, 'POST', body);
	return written.kind === 'ended' && written.code === 0
		? {state: existing ? 'updated' : 'created', reason: null}
		: byHand(`\`gh\` failed: ${safeText(firstLine(written), {maximumCharacters: 300})}`);
}

/** The route, and what has become of the webhook or what to enter at GitHub. */
function setupText({hook, ...route}: WebhookSetupJson, events: readonly string[]): string {
	const {state, reason, page} = hook;
	if (state !== 'by_hand') {
		return `${routeText(route)}Hook    ${state}, see ${page}\n`;
	}

	const wanted = events.includes('*') ? 'Send me everything' : `Let me select individual events: ${events.join(', ')}`;
	return `${routeText(route)}\nThe webhook was not created: ${reason ?? ''}.\n${stepsText(route, {page, wanted})}`;
}

function stepsText(
	{url, secret}: SubscribedJson,
	{page, wanted}: {readonly page: string; readonly wanted: string},
): string {
	return [
		`Enter it at ${page}/new:`,
		`  Payload URL   ${safeText(url)}`,
		'  Content type  application/json',
		`  Secret        ${safeText(secret)}`,
		`  Events        ${safeText(wanted)}`,
		'',
	].join('\n');
}
