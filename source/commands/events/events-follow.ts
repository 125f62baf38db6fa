import {type ControlClient} from '../../control/client.ts';
import {type EventRowJson} from '../../control/wire.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {withRunning} from '../cli/connect-gateway.ts';

type FollowedEvent = Pick<
	EventRowJson,
	'id' | 'time' | 'route' | 'event' | 'delivery_id' | 'status' | 'outcome' | 'reason' | 'ms'
>;

/**
`sluice events list --follow`: the newest events, oldest of them first, then each that comes, until Ctrl-C or until the gateway stops. Rejects with
`gateway_not_running`: without a gateway nothing comes.
*/
export function followEvents(
	context: CommandContext,
	{limit, route}: {readonly limit: number; readonly route: string | undefined},
): Promise<ExitCode> {
	return withRunning(context, async (client): Promise<ExitCode> => {
		const shown = new Set<string>();
		const print = (event: FollowedEvent) => {
			if (!shown.has(event.id) && (route === undefined || event.route === route)) {
				context.stdout(context.flags.json ? `${JSON.stringify(event)}\n` : `${eventLine(event)}\n`);
			}
		};

		const early: FollowedEvent[] = [];
		let take = (event: FollowedEvent): void => {
			early.push(event);
		};

		const following = follow(client, context, event => take(event));
		for (const event of (await client.call('events.list', {limit, route}, context)).toReversed()) {
			print(event);
			shown.add(event.id);
		}

		// What came meanwhile may be among the listed ones.
		early.forEach(print);
		shown.clear();
		take = print;
		await following;
		return 0;
	});
}

/** Resolves when the person has seen enough, or the gateway has stopped. */
async function follow(
	client: ControlClient,
	{signal}: Pick<CommandContext, 'signal'>,
	onEvent: (event: FollowedEvent) => void,
): Promise<void> {
	try {
		await client.follow(
			event => {
				const followed = followedEvent(event);
				if (followed) {
					onEvent(followed);
				}
			},
			{signal},
		);
	} catch (caught) {
		if (!signal.aborted) {
			throw toProblem(caught);
		}
	}
}

/** The row of an event that was answered; undefined for any other event of the gateway (docs/cli.md, Log lines). */
function followedEvent(event: JsonObject): FollowedEvent | undefined {
	if (event['type'] !== 'webhook.settled') {
		return undefined;
	}

	const text = (name: string) => (typeof event[name] === 'string' ? event[name] : '');
	const count = (name: string) => (typeof event[name] === 'number' ? event[name] : 0);
	return {
		id: text('event_id'),
		time: count('time'),
		route: text('route'),
		event: text('event'),
		delivery_id: text('delivery_id'),
		status: count('status'),
		outcome: text('outcome'),
		reason: text('reason') || null,
		ms: count('ms'),
	};
}

function eventLine({time, id, status, route, event, outcome, reason}: FollowedEvent): string {
	const cells = [
		dateAndTime(time),
		shownId(id),
		String(status),
		route,
		event,
		outcome,
		...(reason === null ? [] : [reason]),
	];
	return cells.map(cell => safeText(cell, {maximumCharacters: 200})).join('  ');
}
