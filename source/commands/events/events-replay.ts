import {type EventDetailJson, type EventFilter, type ReplayJson} from '../../state/json/event.ts';
import {type CommandClient} from '../../control/client.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {Problem} from '../../util/problem.ts';
import {claimed, safeText, shownName} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {withClient} from '../cli/connect-gateway.ts';
import {eventFilter} from './events.ts';

const usage =
	'Usage: sluice events replay ID [--deliver] [--yes] [--json], or replay --route NAME --status failed --since TIME [--until TIME] [--yes] [--json]';

/** The number of events that one command replays. */
const maxReplays = 1000;

/** `sluice events replay ID`: runs a stored event through its route again, in the running gateway, once a person said yes. */
export function runEventsReplay(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		// `--deliver ID` reads as well as `ID --deliver`.
		const [id, ...others] = [...context.arguments, context.flags.deliver].filter(
			word => word !== undefined && word !== '',
		);
		const isBulk = id === undefined && context.flags.deliver === undefined;
		if ((id === undefined && !isBulk) || others.length > 0 || (!isBulk && isFiltered(context))) {
			throw new Problem('bad_usage', {message: usage});
		}

		const filter = isBulk ? bulkFilter(context) : undefined;

		return withClient(context, client => {
			if (!client) {
				throw new Problem('gateway_not_running', {message: 'A replay needs a running gateway'});
			}

			return id === undefined ? replayAll(context, client, filter ?? {}) : replay(context, client, id);
		});
	});
}

async function replay(context: CommandContext, client: CommandClient, typed: string): Promise<ExitCode> {
	const {signal, flags} = context;
	const event = await client.call('events.show', {id: typed}, {signal});
	if (!event) {
		throw new Problem('unknown_event', {
			message: `No event has the id ${safeText(typed, {maximumCharacters: 100})}`,
		});
	}

	const {id} = event;
	const isDelivery = flags.deliver !== undefined;
	if (!flags.yes && !(await isWanted(context, isDelivery ? deliveryQuestion(event) : replayQuestion(event)))) {
		context.stderr(isDelivery ? 'Nothing was delivered.\n' : 'Nothing was replayed.\n');
		return 1;
	}

	if (isDelivery) {
		return deliverAgain(context, client, id);
	}

	const answer = await client.call('events.replay', {id}, {signal});
	context.stdout(flags.json ? jsonDocument(answer) : `${replayText(answer)}\n`);
	return answer.status < 300 ? 0 : 1;
}

function isFiltered({flags}: Pick<CommandContext, 'flags'>): boolean {
	return [flags.route, flags.status, flags.since, flags.until].some(flag => flag !== undefined);
}

/** The failed events of a route in a time. Throws `bad_usage`: nothing else is replayed without its id. */
function bulkFilter(context: CommandContext): EventFilter {
	const {route, status, since} = context.flags;
	if (route === undefined || since === undefined || status !== 'failed') {
		throw new Problem('bad_usage', {message: usage});
	}

	return eventFilter(context);
}

/** Replays failed events one after another, the oldest first, once a person said yes to their number. */
async function replayAll(context: CommandContext, client: CommandClient, filter: EventFilter): Promise<ExitCode> {
	const {signal, flags} = context;
	const found = await client.call('events.list', {...filter, limit: maxReplays}, {signal});
	const route = shownName(filter.route ?? '');
	if (found.length === 0) {
		context.stderr(`No failed event of route ${route} matches.\n`);
		printJson(context, []);
		return 0;
	}

	const more = found.length === maxReplays ? ', the newest of them' : '';
	const count = found.length === 1 ? '1 failed event' : `${found.length} failed events${more}`;
	if (!flags.yes && !(await isWanted(context, `Replay ${count} of route ${route}? The route does everything again.`))) {
		context.stderr('Nothing was replayed.\n');
		return 1;
	}

	const onNote = (replayed: ReplayJson) => {
		if (!flags.json) {
			context.stdout(`${replayText(replayed)}\n`);
		}
	};
	const ids = found.toReversed().map(({id}) => id);
	const replays = await client.call('events.replay-all', {ids}, {signal, onNote});
	printJson(context, replays);
	return replays.every(({status}) => status < 300) ? 0 : 1;
}

function printJson(context: CommandContext, replays: readonly ReplayJson[]): void {
	if (context.flags.json) {
		context.stdout(jsonDocument(replays));
	}
}

function replayText({event_id: id, status, outcome, reason}: ReplayJson): string {
	return `${id} ${safeText([status, outcome, reason].filter(word => word !== null).join(' '))}`;
}

async function deliverAgain(context: CommandContext, client: CommandClient, id: string): Promise<ExitCode> {
	const answer = await client.call('events.deliver', {id}, {signal: context.signal});
	const words = [answer.outcome, answer.reason].filter(word => word !== null).join(': ');
	context.stdout(context.flags.json ? jsonDocument(answer) : `${answer.event_id} ${safeText(words)}\n`);
	return answer.outcome === 'delivered' ? 0 : 1;
}

function replayQuestion(event: EventDetailJson): string {
	return `Replay ${nameOf(event)}? The route does everything again.`;
}

function deliveryQuestion(event: EventDetailJson): string {
	const [newest] = event.deliveries;
	const doubt = newest?.state === 'outcome_uncertain' ? ' It may have arrived already.' : '';
	return `Send the undelivered answers of ${nameOf(event)} again?${doubt}`;
}

function nameOf(event: EventDetailJson): string {
	const time = dateAndTime(event.time);
	return safeText(
		`${claimed('event', event.event) || 'the event'} of route ${shownName(event.route)}, ${time} (${event.outcome})`,
	);
}

async function isWanted(context: CommandContext, question: string): Promise<boolean> {
	const answer = await context.confirm(question);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal a replay needs --yes'});
	}

	return answer === 'yes';
}
