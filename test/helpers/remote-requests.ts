import {type Channel, type ChannelInput, type ChannelMessage} from '../../source/remote/channel.ts';
import {type ApprovalRequest} from '../../source/state/approval-event.ts';
import {hashJson} from '../../source/util/json-hash.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {partLimits, maskedJson} from '../../source/util/shown-json.ts';

/** A request as a gateway publishes it, with these arguments. */
export function sampleRequest(
	args: JsonObject = {path: 'a.txt'},
	changes: Partial<ApprovalRequest> = {},
): ApprovalRequest {
	const {value, ...hidden} = maskedJson(args, {
		room: partLimits,
		masks: {names: 'secret', partsOf: text => [{kind: 'plain', text}]},
	});
	return {
		id: '019a0000-0000-7000-8000-0000000000aa',
		kind: 'tool-call',
		server: 'files',
		tool: 'write',
		registeredName: 'mcp__files__write',
		trust: 'full',
		transport: 'stdio',
		address: 'files-server',
		hints: {destructiveHint: true},
		description: '',
		arguments: value,
		argumentsHash: hashJson(args),
		...hidden,
		origin: {kind: 'endpoint', client: 'codex', name: 'laptop'},
		requestedAt: 1_700_000_000_000,
		expiresAt: 1_700_000_900_000,
		...changes,
	};
}

/** As many UTF-16 units as Telegram takes (https://core.telegram.org/bots/api#sendmessage). */
export const fitsUnits =
	(units: number): Channel['fits'] =>
	({parts}) =>
		textOf({parts}).length <= units;

/** The text of a message, each part on lines of its own. */
export function textOf({parts}: Pick<ChannelMessage, 'parts'>): string {
	return parts.map(({text}) => text).join('\n');
}

/** The buttons of a message in their order. */
export function buttonsOf({buttons}: Pick<ChannelMessage, 'buttons'>) {
	return buttons.flat();
}

/** A press of a button, or a reply, by a person of the chat. */
export function pressOf(value: string, changes: Partial<ChannelInput> = {}): ChannelInput {
	return {
		address: {chat: '-100123', message: '7'},
		person: {id: '456', name: 'Ada'},
		isOld: false,
		act: {kind: 'press', value, press: 'p'},
		...changes,
	};
}
