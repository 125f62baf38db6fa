import {type EventRowJson} from '../../state/json/event.ts';
import {type CommandClient} from '../../control/client.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {toProblem} from '../../util/problem.ts';
import {quoted, safeText, shownName} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {withRunning} from '../cli/connect-gateway.ts';
import {untilUnread} from '../cli/program-output.ts';

type FollowedEvent = Pick<
	EventRowJson,
	'id' | 'time' | 'route' | 'event' | 'delivery_id' | 'status' | 'outcome' | 'reason' | 'ms' | 'node'
>;

/** A reader that takes no more has this much ahead of it, in bytes; rows that come then are left out, and counted. */
const maxWaitingBytes = 1_048_576;

/**
`sluice events list --follow`: the newest events, oldest of them first, then each that comes, until Ctrl-C, until nobody reads them or until the
gateway stops. Rejects with `gateway_not_running`: without a gateway nothing comes.
*/
export async function followEvents(
	context: CommandContext,
	{limit, route}: {readonly limit: number; readonly route: string | undefined},
): Promise<ExitCode> {
	const signal = untilUnread(context.signal);
	const follow = async (client: CommandClient): Promise<void> => {
		const shown = new Set<string>();
		const rows = createRowPrinter(context);
		const print = (event: FollowedEvent) => {
			if (!shown.has(event.id) && (route === undefined || event.route === route)) {
				rows.print(event);
			}
		};

		const early: FollowedEvent[] = [];
		let take = (event: FollowedEvent): void => {
			early.push(event);
		};

		const onNote = (json: JsonObject) => {
			const event = followedEvent(json);
			if (event) {
				take(event);
			}
		};

		const following = client.call('events.follow', {}, {signal, onNote});
		// It is waited for below; until then, the list fails for the same reason.
		following.catch(() => undefined);
		for (const event of (await client.call('events.list', {limit, route}, {signal})).toReversed()) {
			rows.printListed(event);
			shown.add(event.id);
		}

		// Events that came meanwhile may be listed already; so may later ones from other gateways.
		early.forEach(print);
		take = print;
		await following.finally(rows.reportGap);
	};

	try {
		await withRunning({...context, signal}, follow);
	} catch (caught) {
		// An abort by the person is no failure.
		if (!signal.aborted) {
			throw toProblem(caught);
		}
	}

	return 0;
}

/** Prints rows for as long as they are read, and says in one line how many were left out before it goes on. */
function createRowPrinter({stdout, stderr, flags}: Pick<CommandContext, 'stdout' | 'stderr' | 'flags'>) {
	let leftOut = 0;
	const reportGap = () => {
		if (leftOut > 0) {
			// With JSON, every line on stdout is an event.
			const report = flags.json ? stderr : stdout;
			report(`… ${leftOut} ${leftOut === 1 ? 'event' : 'events'} left out: the reader is too slow\n`);
			leftOut = 0;
		}
	};

	const printListed = (event: FollowedEvent) =>
		stdout(flags.json ? `${JSON.stringify(event)}\n` : `${eventLine(event)}\n`);
	return {
		/** The list is as long as it was asked to be. */
		printListed,
		print(event: FollowedEvent) {
			if (process.stdout.writableLength > maxWaitingBytes) {
				leftOut++;
			} else {
				reportGap();
				printListed(event);
			}
		},
		reportGap,
	};
}

/** The row of an event that was answered; undefined for any other event of the gateway (docs/json.md, Log lines). */
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
		...(text('node') && {node: text('node')}),
	};
}

function eventLine({time, id, status, route, event, outcome, reason, node}: FollowedEvent): string {
	const cells = [
		dateAndTime(time),
		shownId(id),
		String(status),
		shownName(route),
		event && quoted(event),
		outcome,
		...(reason === null ? [] : [reason]),
		...(node === undefined ? [] : [`node ${node}`]),
	];
	return cells.map(cell => safeText(cell, {maximumCharacters: 200})).join('  ');
}
