import {type JsonObject, isJsonObject, ownMember} from '../../util/json-text.ts';
import {addressBelow} from '../../net/address-below.ts';
import {plainText} from '../dialects.ts';
import {parseDeliveryResponse, textAt} from '../parse-response.ts';
import {type DeliveryTarget} from '../target.ts';

const group = 'group:';
const rateLimitCode = '-5';

/** `send` of signal-cli's JSON-RPC daemon (github.com/AsamK/signal-cli, man/signal-cli-jsonrpc.5). A longer text would arrive as a file. */
export const signal = {
	name: 'signal',
	limit: {unit: 'bytes', maximum: 2000},
	repeat: () => 'unsafe',
	chat: () => ({
		kind: 'named',
		grammar:
			/^(?:\+\d{5,15}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|u:[\p{L}\p{N}_]{2,40}\.\d{2,9}|group:[A-Za-z0-9+/_-]{20,60}={0,2})$/u,
		words: 'a number (+4912345), an account id, u:name.01 or group:<id>',
	}),
	async send({text, chat, repeatKey}, {settings, call}) {
		const to: JsonObject = chat.startsWith(group) ? {groupId: chat.slice(group.length)} : {recipient: [chat]};
		const params = {account: settings.account, ...to, message: plainText(text)};
		const answer = await call({
			url: addressBelow(settings.baseUrl, ['api', 'v1', 'rpc']),
			json: {jsonrpc: '2.0', method: 'send', id: repeatKey, params},
		});
		return parseDeliveryResponse(answer, json => {
			const failed = failures(json);
			const isTooFast = textAt(json, 'error', 'code') === rateLimitCode;
			return {
				isTaken: textAt(json, 'result', 'timestamp') !== '' && failed.length === 0,
				words: [textAt(json, 'error', 'message'), ...failed].filter(Boolean).join(', '),
				...(isTooFast ? {waitSeconds: waitOf(json)} : {}),
			};
		});
	},
} satisfies DeliveryTarget & {readonly name: 'signal'};

/** The reason that it reached nobody; a group message that reached one member counts as sent. */
function failures(json: JsonObject): readonly string[] {
	const types = resultsOf(ownMember(json, 'result')).map(result => textAt(result, 'type'));
	return types.includes('SUCCESS') ? [] : [...new Set(types)];
}

function resultsOf(holder: unknown): readonly JsonObject[] {
	const results = isJsonObject(holder) ? ownMember(holder, 'results') : undefined;
	return Array.isArray(results) ? results.filter(isJsonObject) : [];
}

function waitOf(json: JsonObject): number {
	const error = ownMember(json, 'error');
	const data = isJsonObject(error) ? ownMember(error, 'data') : undefined;
	const results = resultsOf(isJsonObject(data) ? ownMember(data, 'response') : undefined);
	return Math.max(0, ...results.map(result => Number(textAt(result, 'retryAfterSeconds'))));
}
