import {didYouMean} from '../../config/values/did-you-mean.ts';
import {type EventFilter} from '../../state/json/event.ts';
import {eventTable} from '../../state/entities/event.ts';
import {eventStatuses} from '../../state/work-event.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';
import {followEvents} from './events-follow.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {readTime} from '../cli/typed-time.ts';
import {eventText} from './event-text.ts';

const usage = 'Usage: sluice events list [flags] | show ID [--json]';
const defaultLimit = 50;
const maximumLimit = 10_000;

/** The names of all routes, configured or subscribed, served or not. */
export type RouteNames = () => Promise<readonly string[]>;

/** `sluice events list|show`: what came in and what became of it, from the journal. */
export function runEvents(context: CommandContext, openOwn: OpenOwnApi, routeNames: RouteNames): Promise<ExitCode> {
	return runCommand(context, () => {
		const [action = 'list', ...words] = context.arguments;
		const [id] = words;
		if (action === 'list' && words.length === 0) {
			return list(context, openOwn, routeNames);
		}

		if (action === 'show' && id !== undefined && words.length === 1) {
			return show(context, openOwn, id);
		}

		throw new Problem('bad_usage', {message: usage});
	});
}

async function list(context: CommandContext, openOwn: OpenOwnApi, routeNames: RouteNames): Promise<ExitCode> {
	const {limit = defaultLimit, route, since, until, status} = context.flags;
	if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
		throw new Problem('bad_usage', {message: `--limit must be a whole number from 1 to ${maximumLimit}`});
	}

	if (context.flags.follow) {
		if (since !== undefined || until !== undefined || status !== undefined) {
			throw new Problem('bad_usage', {message: '--follow cannot be combined with --status, --since or --until'});
		}

		return followEvents(context, {limit, route});
	}

	const events = await withApi(context, openOwn, ({call}) => call('events.list', {limit, ...eventFilter(context)}));
	if (events.length === 0 && route !== undefined) {
		assertRoute(route, await routeNames());
	}

	await printRows(context, events, {
		...eventTable,
		none: [since, until, status].some(flag => flag !== undefined)
			? 'No stored event matches.'
			: route === undefined
				? 'No events are stored.'
				: `No events of ${safeText(route)} are stored.`,
	});
	return 0;
}

/** The events that the flags select. Throws `bad_usage`. */
export function eventFilter({flags, clock}: Pick<CommandContext, 'flags' | 'clock'>): EventFilter {
	const {route, since, until, status} = flags;
	const known = eventStatuses.find(one => one === status);
	if (status !== undefined && known === undefined) {
		const near = didYouMean(status, eventStatuses);
		const hint = near === undefined ? '' : `; did you mean "${near}"?`;
		const shown = safeText(status, {maximumCharacters: 100});
		throw new Problem('bad_usage', {
			message: `"${shown}" is not a status of events${hint} Allowed: ${eventStatuses.join(', ')}`,
		});
	}

	const now = clock.now();
	return {
		...(route !== undefined && {route}),
		...(known !== undefined && {status: known}),
		...(since !== undefined && {since: readTime(since, now, '--since')}),
		...(until !== undefined && {until: readTime(until, now, '--until')}),
	};
}

/** Throws `unknown_route` for a name that no route has. */
function assertRoute(name: string, known: readonly string[]): void {
	if (known.includes(name)) {
		return;
	}

	const near = didYouMean(name, known);
	const hint = near === undefined ? '' : `; did you mean "${safeText(near)}"?`;
	const message = `There is no route named "${safeText(name, {maximumCharacters: 100})}", and no events of such a route${hint}`;
	throw new Problem('unknown_route', {message});
}

async function show(context: CommandContext, openOwn: OpenOwnApi, id: string): Promise<ExitCode> {
	const event = await withApi(context, openOwn, ({call}) => call('events.show', {id}));
	if (!event) {
		context.stderr(`sluice: No event has the id ${safeText(id)}.\n`);
		return 1;
	}

	context.stdout(context.flags.json ? jsonDocument(event) : eventText(event));
	return 0;
}
