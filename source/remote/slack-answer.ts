import {type JsonObject} from '../util/json-text.ts';
import {type ChannelState, type MessageAddress, type MessageEnd} from './channel.ts';
import {endWithoutAnswer, type PlatformCall, quotedReason, troubleText} from './platform-call.ts';

type Reply = Awaited<ReturnType<PlatformCall>>;

/** The answer to a method of the Web API (docs.slack.dev/apis/web-api#responses): errors come inside a 200. `none`: no answer of Slack came. */
export type SlackAnswer =
	| {readonly kind: 'ok'; readonly json: JsonObject; readonly headers: Headers}
	/** `error` is a code of Slack, `retryAfter` is in milliseconds. */
	| {readonly kind: 'failed'; readonly error: string; readonly retryAfter?: number}
	| {readonly kind: 'none'; readonly reply: Reply};

/** Reads an answer, and the wait that Slack asks for (docs.slack.dev/apis/web-api/rate-limits). */
export function readSlack(reply: Reply): SlackAnswer {
	if (reply.kind !== 'reply') {
		return {kind: 'none', reply};
	}

	const {json, headers, status} = reply;
	const {ok, error} = json;
	if (ok === true) {
		return {kind: 'ok', json, headers};
	}

	const seconds = Number(headers.get('retry-after') ?? Number.NaN);
	const retryAfter = Number.isFinite(seconds) && seconds >= 0 ? {retryAfter: seconds * 1000} : {};
	if (status === 429) {
		return {kind: 'failed', error: 'ratelimited', ...retryAfter};
	}

	return ok === false && typeof error === 'string' && error !== ''
		? {kind: 'failed', error, ...retryAfter}
		: {kind: 'none', reply};
}

/** Errors of a token that no repetition cures (docs.slack.dev/reference/methods/apps.connections.open#errors). */
const tokenErrors = new Set([
	'access_denied',
	'account_inactive',
	'invalid_auth',
	'missing_scope',
	'no_permission',
	'not_allowed_token_type',
	'not_authed',
	'team_access_not_granted',
	'token_expired',
	'token_revoked',
]);

type Trouble = {
	readonly state: Extract<ChannelState, {kind: 'away' | 'rejected'}>;
	readonly leastMilliseconds?: number;
};

/** The state of the channel after a method that failed with this token. */
export function slackTrouble(answer: SlackAnswer, key: 'app_token' | 'bot_token'): Trouble {
	if (answer.kind !== 'failed') {
		const message =
			answer.kind === 'none' ? troubleText('Slack', answer.reply) : 'Slack gave an answer that Sluice cannot read';
		return {state: {kind: 'away', message}};
	}

	const {error, retryAfter} = answer;
	if (!tokenErrors.has(error)) {
		return {
			state: {kind: 'away', message: `Slack refused to connect: ${quotedReason(error)}`},
			...(retryAfter !== undefined && {leastMilliseconds: retryAfter}),
		};
	}

	const remedy =
		key === 'app_token'
			? 'It has to be a token of the app (xapp-…) with the scope connections:write; make one under Basic Information'
			: 'It has to be a token of the bot (xoxb-…) with the scope chat:write; install the app again under OAuth & Permissions';
	return {state: {kind: 'rejected', message: `Slack rejected \`${key}\`: ${quotedReason(error)}. ${remedy}`}};
}

const goneErrors = new Set([
	'cant_update_message',
	'channel_not_found',
	'edit_window_closed',
	'is_archived',
	'message_not_found',
	'user_not_found',
]);

/** Errors of Slack's side, after which part of the work may be done. */
const uncertainErrors = new Set(['fatal_error', 'internal_error', 'request_timeout', 'service_unavailable']);

const remedies: Readonly<Record<string, string>> = {
	channel_not_found: '. Check `channel`, and invite the app to it',
	is_archived: '. Set `channel` to one that is not archived',
	not_in_channel: '. Invite the app to the channel',
};

/** The end of a send or an edit. */
export function endOfSlack(answer: SlackAnswer): MessageEnd {
	if (answer.kind === 'none') {
		return endWithoutAnswer('Slack', answer.reply);
	}

	if (answer.kind === 'ok') {
		const address = addressIn(answer.json);
		return address
			? {kind: 'sent', address}
			: {kind: 'uncertain', message: 'Slack took the message and did not say where it is'};
	}

	const {error, retryAfter} = answer;
	const remedy = tokenErrors.has(error) ? '. Check `bot_token` and its scopes' : (remedies[error] ?? '');
	const message = `Slack refused the message: ${quotedReason(error)}${remedy}`;
	if (goneErrors.has(error)) {
		return {kind: 'gone', message};
	}

	return uncertainErrors.has(error)
		? {kind: 'uncertain', message}
		: {kind: 'refused', message, ...(retryAfter !== undefined && {retryAfter})};
}

function addressIn({channel, ts}: JsonObject): MessageAddress | undefined {
	return typeof channel === 'string' && channel !== '' && typeof ts === 'string' && ts !== ''
		? {chat: channel, message: ts}
		: undefined;
}
