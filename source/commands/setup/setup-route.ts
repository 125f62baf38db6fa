import {valueAt} from '../../config/values/plain-value.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {listOf} from '../cli/words.ts';
import {subscriptionName} from '../webhook/subscriptions.ts';
import {type SetUpEnd, type SetUpPart} from './gateway-setup.ts';

const extraRoutes = ['platforms', 'webhook', 'extra', 'routes'];
const plainRoutes = ['platforms', 'webhook', 'routes'];

/** Adds a first route, which is signed with the global secret and delivers to the log. Flags answer before anybody is asked. */
export async function setUpRoute(
	context: CommandContext,
	{config, change, dialog}: SetUpPart,
): Promise<SetUpEnd | undefined> {
	const {flags} = context;
	const isReceiving = valueAt(change.config.value(), ['platforms', 'webhook', 'enabled']) === true;
	if (!isReceiving && flags.route !== undefined) {
		throw new Problem('bad_usage', {message: '--route needs a receiver: leave --no-webhooks out'});
	}

	const name = isReceiving ? await askForName(context, {config, dialog}) : undefined;
	if (name === undefined) {
		return undefined;
	}

	const events = flags.events ?? (await dialog?.ask('Event types it accepts, comma-separated (Enter for all)')) ?? '';
	const question = 'Prompt of its runs, with {fields} of the payload (Enter for the whole payload)';
	const prompt = flags.prompt ?? (await dialog?.ask(question)) ?? '';
	const entry = {
		...(events !== '' && {events: listOf(events)}),
		...(prompt !== '' && {prompt}),
		deliver: 'log',
	};
	const routes = change.config.has(extraRoutes) ? extraRoutes : plainRoutes;
	change.config.set([...routes, name], entry);
	return {command: `sluice webhook test ${name} --dry-run`};
}

async function askForName(
	context: CommandContext,
	{config, dialog}: Pick<SetUpPart, 'config' | 'dialog'>,
): Promise<string | undefined> {
	const {route: given} = context.flags;
	for (;;) {
		const typed = given ?? (await dialog?.ask('Name of a first webhook route (Enter for none)')) ?? '';
		if (typed === '') {
			return undefined;
		}

		const name = freeName(typed, config);
		if (!(name instanceof Problem)) {
			return name;
		}

		if (given !== undefined) {
			throw name;
		}

		context.stderr(`${name.message}.\n`);
	}
}

/** The name as routes have it, or why it cannot be that of a new one. */
function freeName(typed: string, {config}: SetUpPart['config']): string | Problem {
	try {
		const name = subscriptionName(typed);
		const {routes, brokenRoutes} = config.webhook;
		const isTaken = [...routes, ...brokenRoutes].some(route => route.name === name);
		return isTaken
			? new Problem('bad_usage', {message: `config.yaml already has a route named ${safeText(name)}`})
			: name;
	} catch {
		return new Problem('bad_usage', {
			message: 'The name of a route may only have letters a-z, digits, - and _, and must begin with a letter or digit',
		});
	}
}
