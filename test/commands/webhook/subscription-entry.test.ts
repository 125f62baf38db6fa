import {describe, expect, test} from 'vitest';
import {subscriptionEntry, subscriptionName} from '../../../source/commands/webhook/subscriptions.ts';

const created = {secret: 'fresh', created_at: 'now'};

describe('the name of a subscription', () => {
	test.each([
		['alerts', 'alerts'],
		['My Alerts', 'my-alerts'],
		['  GitHub PRs ', 'github-prs'],
		['a_b-9', 'a_b-9'],
		['9', '9'],
	])('%j becomes %j', (typed, name) => {
		expect(subscriptionName(typed)).toBe(name);
	});

	test.each(['', ' ', '-a', '_a', 'a/b', '..', 'ä', 'a.b'])('%j is refused', typed => {
		expect(() => subscriptionName(typed)).toThrow('letters a-z');
	});
});

describe('a new entry', () => {
	test('has a secret, its time, and what the flags say', () => {
		const flags = {
			events: 'push, issues,',
			prompt: 'p',
			deliver: 'telegram',
			deliverChatId: '-100',
			deliverOnly: true,
			description: 'd',
			cronJob: 'j',
			routeProfile: 'work',
		};
		expect(subscriptionEntry(undefined, flags, created)).toEqual({
			...created,
			events: ['push', 'issues'],
			prompt: 'p',
			deliver: 'telegram',
			deliver_extra: {chat_id: '-100'},
			deliver_only: true,
			description: 'd',
			cron_job: 'j',
			profile: 'work',
		});
	});
});

describe('an update', () => {
	const previous = {
		secret: 'kept',
		created_at: 'then',
		prompt: 'old',
		toolsets: ['web_search'],
		deliver_extra: {chat_id: '1', thread_id: '2'},
		deliver_only: true,
	};

	test('keeps the secret and what no flag names', () => {
		expect(subscriptionEntry(previous, {prompt: 'new'}, created)).toEqual({...previous, prompt: 'new'});
	});

	test('changes the chat and keeps its neighbours', () => {
		const entry = subscriptionEntry(previous, {deliverChatId: '9'}, created);
		expect(entry['deliver_extra']).toEqual({chat_id: '9', thread_id: '2'});
	});

	test('takes away what is given empty', () => {
		const flags = {prompt: '', deliverOnly: false, deliverChatId: '', events: ''};
		const {prompt: _, deliver_only: __, ...kept} = previous;
		expect(subscriptionEntry(previous, flags, created)).toEqual({...kept, deliver_extra: {thread_id: '2'}});
	});

	test('of an entry that is no mapping starts from nothing', () => {
		expect(subscriptionEntry(7, {}, created)).toEqual(created);
	});
});
