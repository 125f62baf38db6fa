import {describe, expect, test} from 'vitest';
import {readEnvelope} from '../../source/remote/slack-envelope.ts';

const origin = {team: 'T0TEAM', appId: 'A0APP'};
const press = {
	type: 'block_actions',
	api_app_id: 'A0APP',
	team: {id: 'T0TEAM'},
	user: {id: 'U0ADA', team_id: 'T0TEAM', name: 'ada'},
	channel: {id: 'C0HOME'},
	container: {type: 'message', message_ts: '1700000000.000100', channel_id: 'C0HOME', is_ephemeral: false},
	actions: [{type: 'button', action_id: 'x', value: 's1:x:a', action_ts: '1700000001.000100'}],
};
const event = {
	type: 'message',
	channel: 'C0HOME',
	channel_type: 'channel',
	user: 'U0ADA',
	team: 'T0TEAM',
	text: 'no',
	ts: '1700000001.000200',
	thread_ts: '1700000000.000100',
};
const message = {type: 'event_callback', api_app_id: 'A0APP', team_id: 'T0TEAM', event_id: 'Ev1', event};

const readPress = (change: object) => readEnvelope('interactive', {...press, ...change}, origin);
const readReply = (change: object, outer: object = {}) =>
	readEnvelope('events_api', {...message, ...outer, event: {...event, ...change}}, origin);

test('a press, a reply and a private message are inputs', () => {
	expect(readPress({})).toMatchObject({
		kind: 'input',
		input: {
			address: {chat: 'C0HOME', message: '1700000000.000100'},
			person: {id: 'U0ADA', name: 'ada'},
			act: {kind: 'press', value: 's1:x:a'},
		},
	});
	expect(readReply({})).toMatchObject({
		kind: 'input',
		once: 'Ev1',
		input: {address: {chat: 'C0HOME', message: '1700000000.000100'}, act: {kind: 'reply', text: 'no'}},
	});
	expect(readReply({subtype: 'thread_broadcast'}).kind).toBe('input');
	expect(readReply({channel: 'D0ADA', channel_type: 'im', thread_ts: undefined})).toMatchObject({
		input: {address: {chat: 'D0ADA', message: '1700000001.000200'}, act: {kind: 'private-message', text: 'no'}},
	});
});

describe('a press counts for nothing', () => {
	test.each<[string, object]>([
		['of another app', {api_app_id: 'A0OTHER'}],
		['of no app', {api_app_id: undefined}],
		['in another workspace', {team: {id: 'T0OTHER'}}],
		['in no workspace', {team: null}],
		['by somebody of another workspace', {user: {id: 'U0ADA', team_id: 'T0OTHER'}}],
		['by somebody of no workspace', {user: {id: 'U0ADA'}}],
		['by an id that is a number', {user: {id: 5, team_id: 'T0TEAM'}}],
		['by an id with a line end', {user: {id: 'U0ADA\n', team_id: 'T0TEAM'}}],
		['on an ephemeral message', {container: {...press.container, is_ephemeral: true}}],
		['on a message of another channel', {container: {...press.container, channel_id: 'C0OTHER'}}],
		['in a dialog', {container: {type: 'view', view_id: 'V1'}}],
		['on a message without a time', {container: {...press.container, message_ts: 'x'}}],
		['on two buttons', {actions: [press.actions[0], press.actions[0]]}],
		['on no button', {actions: []}],
		['on a menu', {actions: [{...press.actions[0], type: 'static_select'}]}],
		['without a value', {actions: [{...press.actions[0], value: undefined}]}],
		['by a shortcut', {type: 'shortcut'}],
	])('%s', (_name, change) => {
		expect(readPress(change)).toEqual({kind: 'ignored', reason: expect.stringMatching(/^a press in Slack/u)});
	});
});

describe('a reply counts for nothing', () => {
	test.each<[string, object, object?]>([
		['by somebody of another workspace', {team: 'T0OTHER'}],
		['by a guest of another workspace', {user_team: 'T0OTHER'}],
		['that shares a message', {attachments: [{is_share: true, text: 'yes'}]}],
		['whose attachments are wild', {attachments: 'x'}],
		['of another app', {}, {api_app_id: 'A0OTHER'}],
		['in another workspace', {}, {team_id: 'T0OTHER'}],
		['without an id', {}, {event_id: undefined}],
		['by an id that is a number', {user: 5}],
		['without a text', {text: ''}],
		['in a thread whose time is wild', {thread_ts: 'x'}],
	])('%s', (_name, change, outer) => {
		expect(readReply(change, outer)).toEqual({kind: 'ignored', reason: expect.stringMatching(/^a message in Slack/u)});
	});
});

test.each<[string, unknown]>([
	['a message of a bot', readReply({bot_id: 'B1'})],
	['a message of an app for a person', readReply({app_id: 'A0OTHER'})],
	['a change of a message', readReply({subtype: 'message_changed', hidden: true})],
	['an edited message', readReply({edited: {user: 'U0ADA'}})],
	['a file', readReply({subtype: 'file_share'})],
	['talk in a channel', readReply({thread_ts: undefined})],
	['the first message of a thread', readReply({thread_ts: event.ts})],
	['another event', readReply({type: 'reaction_added'})],
	['a command', readEnvelope('slash_commands', {command: '/x', user_id: 'U0ADA'}, origin)],
	['an event without a payload', readEnvelope('events_api', null, origin)],
	['another type', readEnvelope('constructor', {}, origin)],
])('%s is not even reported', (_name, meaning) => {
	expect(meaning).toEqual({kind: 'other'});
});
