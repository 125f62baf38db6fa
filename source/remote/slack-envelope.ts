import {z} from 'zod';
import {isJsonObject, isList, type JsonObject} from '../util/json-text.ts';
import {type ChannelInput} from './channel.ts';
import {unescapeSlack} from './slack-message.ts';

/** A frame of Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode). */
export type SlackFrame =
	| {readonly kind: 'hello' /** Empty if it says none. */; readonly appId: string; readonly connections: number}
	| {readonly kind: 'disconnect'; readonly reason: string}
	| {
			readonly kind: 'envelope';
			readonly id: string;
			readonly type: string;
			readonly isRetry: boolean;
			readonly payload: unknown;
	  }
	| {readonly kind: 'other'};

/** Reads the text of a frame that was parsed as JSON. */
export function readFrame(frame: unknown): SlackFrame {
	if (!isJsonObject(frame)) {
		return {kind: 'other'};
	}

	const {type, envelope_id: id, payload, retry_attempt: retry, reason, num_connections: connections} = frame;
	if (type === 'hello') {
		const {app_id: appId} = isJsonObject(frame['connection_info']) ? frame['connection_info'] : {};
		return {
			kind: 'hello',
			appId: typeof appId === 'string' ? appId : '',
			connections: typeof connections === 'number' ? connections : 1,
		};
	}

	if (type === 'disconnect') {
		return {kind: 'disconnect', reason: typeof reason === 'string' ? reason : ''};
	}

	return typeof id === 'string' && id !== '' && id.length <= 255 && typeof type === 'string'
		? {kind: 'envelope', id, type, isRetry: typeof retry === 'number' && retry > 0, payload}
		: {kind: 'other'};
}

/** The meaning of an envelope. `once`: an id that the same act has also in another envelope. */
export type EnvelopeMeaning =
	| {readonly kind: 'input'; readonly input: Omit<ChannelInput, 'isOld'>; readonly once: string}
	/** It looks like an input and is none; the reason is in words of Sluice. */
	| {readonly kind: 'ignored'; readonly reason: string}
	/** Talk in a channel that is not for Sluice. */
	| {readonly kind: 'other'};

/** The app and the workspace that inputs have to come from. An empty app id is not compared. */
export type SlackOrigin = {readonly team: string; readonly appId: string};

const id = z.string().regex(/^[A-Z\d]{2,40}$/u);
/** The time of a message is its id: seconds with six decimals. */
const timestamp = z.string().regex(/^\d{1,12}\.\d{1,8}$/u);

/** docs.slack.dev/reference/interaction-payloads/block_actions-payload */
const press = z.object({
	type: z.literal('block_actions'),
	api_app_id: id,
	team: z.object({id}),
	user: z.object({id, team_id: id, name: z.string().optional()}),
	channel: z.object({id}),
	container: z.object({
		type: z.literal('message'),
		message_ts: timestamp,
		channel_id: id,
		is_ephemeral: z.literal(false).optional(),
	}),
	actions: z.tuple([z.object({type: z.literal('button'), value: z.string().min(1).max(2000), action_ts: z.string()})]),
});

/** docs.slack.dev/reference/events/message */
const written = z.object({
	api_app_id: id,
	team_id: id,
	event_id: z.string().min(1).max(100),
	event: z.object({
		type: z.literal('message'),
		channel: id,
		user: id,
		// Longer than what an app lets a person write.
		text: z.string().min(1).max(40_000),
		ts: timestamp,
		thread_ts: timestamp.optional(),
	}),
});

/** Members of events that no person wrote, or not here, now, by themselves; Slack reports messages of this app, too. */
const otherEvents = ['app_id', 'bot_id', 'bot_profile', 'edited', 'hidden'];

/** Members of events that name a workspace: with Slack Connect, people of others write in a channel. */
const teamsOfWriter = ['team', 'user_team', 'source_team'];

/** Reads the payload of an envelope. Everything in it may be hostile. */
export function readEnvelope(type: string, payload: unknown, origin: SlackOrigin): EnvelopeMeaning {
	if (type === 'interactive') {
		return readPress(payload, origin);
	}

	const event = isJsonObject(payload) ? payload['event'] : undefined;
	return type === 'events_api' && isJsonObject(event) && event['type'] === 'message' && isForBot(event)
		? readMessage(payload, event, origin)
		: {kind: 'other'};
}

function readPress(payload: unknown, {team, appId}: SlackOrigin): EnvelopeMeaning {
	const read = press.safeParse(payload);
	if (!read.success) {
		return ignored('a press', String(read.error.issues[0]?.path.join('.')));
	}

	const {api_app_id: app, user, channel, container, actions, team: ofTeam} = read.data;
	const wrong =
		app !== appId && appId !== ''
			? 'api_app_id'
			: ofTeam.id !== team
				? 'team.id'
				: user.team_id !== team
					? 'user.team_id'
					: channel.id === container.channel_id
						? undefined
						: 'container.channel_id';
	if (wrong !== undefined) {
		return ignored('a press', wrong);
	}

	const [{value, action_ts: time}] = actions;
	return {
		kind: 'input',
		once: `${user.id} ${container.message_ts} ${time}`,
		input: {
			address: {chat: container.channel_id, message: container.message_ts},
			person: {id: user.id, name: (user.name ?? '').slice(0, 200)},
			act: {kind: 'press', value, press: time},
		},
	};
}

function readMessage(payload: unknown, event: JsonObject, {team, appId}: SlackOrigin): EnvelopeMeaning {
	const stranger = teamsOfWriter.find(name => Object.hasOwn(event, name) && event[name] !== team);
	const read = written.safeParse(payload);
	const inEvent = hasShare(event) ? 'attachments' : stranger;
	if (!read.success || inEvent !== undefined) {
		return ignored(
			'a message',
			inEvent === undefined ? String(read.error?.issues[0]?.path.join('.')) : `event.${inEvent}`,
		);
	}

	const {api_app_id: app, team_id: ofTeam, event_id: once, event: message} = read.data;
	if ((app !== appId && appId !== '') || ofTeam !== team) {
		return ignored('a message', ofTeam === team ? 'api_app_id' : 'team_id');
	}

	const {channel, user, text, ts, thread_ts: thread} = message;
	return {
		kind: 'input',
		once,
		input: {
			address: {chat: channel, message: thread ?? ts},
			person: {id: user, name: ''},
			act: {kind: thread === undefined ? 'private-message' : 'reply', text: unescapeSlack(text)},
		},
	};
}

/** True for what a person wrote in a thread, also to be shown in the channel, and in a private chat outside of threads. */
function isForBot(event: JsonObject): boolean {
	const {thread_ts: thread, ts, channel_type: type, subtype} = event;
	return (
		(subtype === undefined || subtype === 'thread_broadcast') &&
		!otherEvents.some(name => Object.hasOwn(event, name)) &&
		(thread === undefined ? type === 'im' : thread !== ts)
	);
}

/** True for a message that shares another one. */
function hasShare({attachments}: JsonObject): boolean {
	return (
		attachments !== undefined &&
		(!isList(attachments) ||
			attachments.some(one => !isJsonObject(one) || one['is_share'] === true || one['is_msg_unfurl'] === true))
	);
}

function ignored(what: string, path: string): EnvelopeMeaning {
	return {kind: 'ignored', reason: `${what} in Slack counts for nothing because of its member \`${path}\``};
}
