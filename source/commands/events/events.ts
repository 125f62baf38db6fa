import {type EventDetailJson, type EventRowJson} from '../../control/wire.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenEvents, withEvents} from './event-access.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';

const usage = 'Usage: sluice events list [--route NAME] [--limit N] [--json] | show ID [--json]';
const defaultLimit = 50;
const maximumLimit = 10_000;

/** A body is shown up to here; the JSON has all of it. */
const maximumBodyCharacters = 20_000;

/** `sluice events list|show`: what came in, from the journal. */
export function runEvents(context: CommandContext, openEvents: OpenEvents): Promise<ExitCode> {
	return runCommand(context, () => {
		const [action = 'list', ...words] = context.arguments;
		const [id] = words;
		if (action === 'list' && words.length === 0) {
			return list(context, openEvents);
		}

		if (action === 'show' && id !== undefined && words.length === 1) {
			return show(context, openEvents, id);
		}

		throw new Problem('bad_usage', {message: usage});
	});
}

async function list(context: CommandContext, openEvents: OpenEvents): Promise<ExitCode> {
	const {limit = defaultLimit, route} = context.flags;
	if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
		throw new Problem('bad_usage', {message: `--limit must be a whole number from 1 to ${maximumLimit}`});
	}

	const events = await withEvents(context, openEvents, access => access.list({limit, route}));
	await printRows(context, events, {
		titles: ['TIME', 'ID', 'STATUS', 'ROUTE', 'EVENT', 'OUTCOME', 'REASON'],
		cells: row,
		none: 'No events are stored.',
	});
	return 0;
}

function row(event: EventRowJson): string[] {
	const {time, id, status, route, outcome, reason} = event;
	return [dateAndTime(time), id, String(status), route, event.event, outcome, reason ?? ''];
}

async function show(context: CommandContext, openEvents: OpenEvents, id: string): Promise<ExitCode> {
	const event = await withEvents(context, openEvents, access => access.show(id));
	if (!event) {
		context.stderr(`sluice: There is no event with the id ${safeText(id)}.\n`);
		return 1;
	}

	context.stdout(context.flags.json ? jsonDocument(event) : detailText(event));
	return 0;
}

function detailText(event: EventDetailJson): string {
	const {headers, body, script_output: script, prompt, runs, deliveries, ...facts} = event;
	const lines = Object.entries(facts).map(([name, value]) => `${name}: ${safeText(String(value ?? '–'))}`);
	const led = runs.map(({id, state, reason}) =>
		safeText(`run: ${id} ${state}${reason === null ? '' : ` (${reason})`}`),
	);
	const delivered = deliveries.map(delivery => safeText(deliveryText(delivery)));
	const sent = Object.entries(headers).map(([name, value]) => `${safeText(name)}: ${safeText(value)}`);
	const texts = [body ?? '(not stored)', ...titled('script', script), ...titled('prompt', prompt)];
	return `${[...lines, ...led, ...delivered, '', ...sent, '', ...texts.map(longText)].join('\n')}\n`;
}

function deliveryText({target, state, detail, time}: EventDetailJson['deliveries'][number]): string {
	return `delivery: ${target} ${state} ${dateAndTime(time)}${detail === null ? '' : `: ${detail}`}`;
}

function titled(title: string, text: string | null): readonly string[] {
	return text === null ? [] : [`\n${title}:\n${text}`];
}

function longText(text: string): string {
	return safeText(text, {multiline: true, maximumCharacters: maximumBodyCharacters});
}
