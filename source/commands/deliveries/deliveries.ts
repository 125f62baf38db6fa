import {deliveryTable} from '../../state/entities/delivery.ts';
import {type DeliveryEndJson, deliveryStates} from '../../state/json/event.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type OpenOwnApi, withApi, withRunning} from '../cli/connect-gateway.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords, onlyWord} from '../cli/words.ts';

const defaultLimit = 50;
const maximumLimit = 1000;

/** `sluice deliveries list`: messages to platforms, from the journal, newest first. */
export function runDeliveriesList(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice deliveries list [--status STATUS] [--limit N] [--json]');
		const {limit = defaultLimit, status} = context.flags;
		if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
			throw new Problem('bad_usage', {message: `--limit must be a whole number from 1 to ${maximumLimit}`});
		}

		const state = deliveryStates.find(one => one === status);
		if (status !== undefined && state === undefined) {
			throw new Problem('bad_usage', {message: `--status must be one of ${deliveryStates.join(', ')}`});
		}

		const messages = await withApi(context, openOwn, ({call}) => call('deliveries.list', {limit, state}));
		const none = state === undefined ? 'No messages are stored.' : `No message is ${state}.`;
		await printRows(context, messages, {...deliveryTable, none});
		return 0;
	});
}

/** `sluice deliveries retry ID`: sends a message that did not arrive, in the running gateway. */
export function runDeliveriesRetry(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const id = onlyWord(context, 'sluice deliveries retry ID [--yes] [--json]');
		const {signal, flags} = context;
		const params = {id, ...(flags.yes && {uncertain: true})};
		const end = await withRunning(context, client => client.call('deliveries.retry', params, {signal}));
		print(context, end);
		return end.state === 'sent' ? 0 : 1;
	});
}

/** `sluice deliveries cancel ID`: a message is not sent again. */
export function runDeliveriesCancel(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		const id = onlyWord(context, 'sluice deliveries cancel ID [--json]');
		const {signal} = context;
		print(context, await withRunning(context, client => client.call('deliveries.cancel', {id}, {signal})));
		return 0;
	});
}

function print(context: CommandContext, end: DeliveryEndJson): void {
	const {id, state, next_at: at, reason} = end;
	const words = [id, state, at === null ? '' : `until ${dateAndTime(at)}`].filter(Boolean).join(' ');
	const text = reason === null ? words : `${words}: ${safeText(reason)}`;
	context.stdout(context.flags.json ? jsonDocument(end) : `${text}\n`);
}
