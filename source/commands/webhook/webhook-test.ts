import {type RouteConfig} from '../../config/webhooks/route-entry.ts';
import {openDeadline} from '../../util/clock.ts';
import {parseJson} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {webhookPath} from '../../webhooks/http/incoming-request.ts';
import {signBody} from '../../webhooks/signature/sign-body.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {findRoute, type OpenRoutes, type RouteRegistry} from './route-registry.ts';
import {runningReceiver} from './webhook-url.ts';

type Request = {readonly url: string; readonly body: string; readonly headers: Readonly<Record<string, string>>};

const shownCharacters = 4000;
const answerMilliseconds = 60_000;
const usage = 'Usage: sluice webhook test NAME [--payload JSON] [--dry-run [--event ID]] [--json]';

/** `sluice webhook test NAME`: a signed event for the running gateway, as a sender would post it; or, with `--dry-run`, what would become of it. */
export function runWebhookTest(
	context: CommandContext,
	openRoutes: OpenRoutes,
	tryDry: (registry: RouteRegistry, name: string) => Promise<ExitCode>,
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [name, ...others] = context.arguments;
		if (name === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: usage});
		}

		const {dryRun, event, payload} = context.flags;
		if (event !== undefined && (!dryRun || payload !== undefined)) {
			throw new Problem('bad_usage', {message: '--event needs --dry-run, and cannot be combined with --payload'});
		}

		const registry = await openRoutes();
		if (dryRun) {
			return tryDry(registry, name);
		}

		const route = findRoute(registry, name);
		const answer = await reportWaiting(
			context,
			'the answer of the running gateway',
			postTestEvent(context, {route, expand: registry.expand}),
		);
		context.stdout(
			context.flags.json
				? jsonDocument({status: answer.status, body: parseJson(answer.text) ?? answer.text})
				: `${answer.status} ${safeText(answer.text, {maximumCharacters: shownCharacters})}\n`,
		);
		return answer.status < 300 ? 0 : 1;
	});
}

/** Posts a signed event to the running gateway, as a sender would. Rejects with `gateway_not_running` when nobody listens. */
async function postTestEvent(
	context: CommandContext,
	{route, expand}: {readonly route: RouteConfig; readonly expand: (text: string, profile?: string) => string},
): Promise<{readonly status: number; readonly text: string}> {
	const body = testBody(context.flags.payload, route);
	const receiver = await runningReceiver(context);
	if (!receiver) {
		throw new Problem('gateway_not_running');
	}

	if (receiver.url === null) {
		throw new Problem('gateway_not_running', {message: 'The running gateway is not listening for webhooks'});
	}

	const address = `${receiver.url}${webhookPath(route)}`;
	const signed = signBody(body, route, {expand, now: context.clock.now(), address});
	if (!signed) {
		throw new Problem('route_without_secret');
	}

	return post(context, {url: address + signed.search, body: signed.body, headers: signed.headers});
}

/** The body to send: the text as typed, or an event that the route accepts. */
export function testBody(payload: string | undefined, {name, events}: Pick<RouteConfig, 'name' | 'events'>): string {
	if (payload === undefined) {
		return JSON.stringify({event_type: events[0] ?? 'test', test: true, message: `A test event for ${name}`});
	}

	if (parseJson(payload) === undefined) {
		throw new Problem('bad_usage', {message: '--payload must be JSON'});
	}

	return payload;
}

async function post({clock, signal}: CommandContext, {url, body, headers}: Request) {
	const reason = () => new Problem('control_failed', {message: 'The running gateway did not answer in time'});
	const deadline = openDeadline(clock, answerMilliseconds, {signal, reason});
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: {'content-type': 'application/json', ...headers},
			body,
			redirect: 'manual',
			signal: deadline.signal,
		});
		return {status: response.status, text: await response.text()};
	} catch (error) {
		throw toProblem(error, 'control_failed');
	} finally {
		deadline.cancel();
	}
}
