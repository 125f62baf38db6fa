import {type EventDetailJson} from '../../state/json/event.ts';
import {type ControlClient} from '../../control/client.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {Problem} from '../../util/problem.ts';
import {claimed, safeText, shownName} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {withClient} from '../cli/connect-gateway.ts';

/** `sluice events replay ID`: runs a stored event through its route again, in the running gateway, once a person said yes. */
export function runEventsReplay(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		// `--deliver ID` reads as well as `ID --deliver`.
		const [id, ...others] = [...context.arguments, context.flags.deliver].filter(
			word => word !== undefined && word !== '',
		);
		if (id === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice events replay ID [--deliver] [--yes] [--json]'});
		}

		return withClient(context, client => {
			if (!client) {
				throw new Problem('gateway_not_running', {message: 'A replay needs a running gateway'});
			}

			return replay(context, client, id);
		});
	});
}

async function replay(context: CommandContext, client: ControlClient, typed: string): Promise<ExitCode> {
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
	const words = [answer.status, answer.outcome, answer.reason].filter(word => word !== null).join(' ');
	context.stdout(flags.json ? jsonDocument(answer) : `${answer.event_id} ${safeText(words)}\n`);
	return answer.status < 300 ? 0 : 1;
}

async function deliverAgain(context: CommandContext, client: ControlClient, id: string): Promise<ExitCode> {
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
