import {describe, expect, test} from 'vitest';
import {type CommandFlags} from '../../../source/commands/cli/command.ts';
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

describe('flags of routes', () => {
	test.each<[string, CommandFlags, object]>([
		['--preset', {preset: 'stripe'}, {signature: 'stripe'}],
		['--secret-env', {secretEnv: 'STRIPE_SECRET'}, {secret: '${STRIPE_SECRET}'}],
		[
			'--set signature.url',
			{preset: 'square', set: ['signature.url=https://${HOST}/webhooks/r?a=b']},
			{signature: {preset: 'square', url: 'https://${HOST}/webhooks/r?a=b'}},
		],
		[
			'--set challenge.token',
			{preset: 'meta', set: ['challenge.token=${META_VERIFY_TOKEN}']},
			{signature: 'meta', challenge: {token: '${META_VERIFY_TOKEN}'}},
		],
		[
			'--set secret.topic_arn',
			{preset: 'sns', set: ['secret.topic_arn=arn:aws:sns:a:1:b']},
			{signature: 'sns', secret: {topic_arn: 'arn:aws:sns:a:1:b'}},
		],
		[
			'--set secret.email and secret.audience',
			{preset: 'pubsub', set: ['secret.email=${EMAIL}', 'secret.audience=https://a.example']},
			{signature: 'pubsub', secret: {email: '${EMAIL}', audience: 'https://a.example'}},
		],
		['--preset of a provider that takes a mapping', {preset: 'pubsub'}, {signature: 'pubsub', secret: {}}],
		['--filter', {filter: '{"field":"a","equals":1}'}, {filters: {field: 'a', equals: 1}}],
		['--filter with a list', {filter: '[{"field":"a","exists":true}]'}, {filters: [{field: 'a', exists: true}]}],
		['--deliver with names', {deliver: 'slack, telegram'}, {deliver: ['slack', 'telegram']}],
		['--on-failure', {onFailure: 'slack'}, {on_failure: {deliver: 'slack'}}],
		['--on-failure with names', {onFailure: 'slack,email'}, {on_failure: {deliver: ['slack', 'email']}}],
		['--script', {script: 'tidy.py'}, {script: 'tidy.py'}],
		['--skills', {skills: 'triage, tone'}, {skills: ['triage', 'tone']}],
		['--coalesce', {coalesce: 'pull_request.number'}, {coalesce: {key: 'pull_request.number'}}],
		[
			'--extra',
			{extra: ['thread_id=7', 'note=a=b'], deliverChatId: '42'},
			{deliver_extra: {thread_id: '7', note: 'a=b', chat_id: '42'}},
		],
	])('%s', (_flag, flags, entry) => {
		expect(subscriptionEntry(undefined, flags, created)).toEqual({...created, ...entry});
	});

	test('an empty value removes a key, and the windows of coalesce stay', () => {
		const previous = {
			...created,
			signature: 'stripe',
			filters: {field: 'a', equals: 1},
			script: 'tidy.py',
			skills: ['tone'],
			coalesce: {key: 'a', window_seconds: 5},
			deliver_extra: {thread_id: '7', chat_id: '42'},
			on_failure: {deliver: 'slack', extra: {chat_id: 'C1'}},
		};
		const flags = {preset: '', filter: '', script: '', skills: '', extra: ['thread_id=']};
		expect(subscriptionEntry(previous, {...flags, coalesce: 'b', onFailure: 'email'}, created)).toEqual({
			...created,
			coalesce: {key: 'b', window_seconds: 5},
			deliver_extra: {chat_id: '42'},
			on_failure: {deliver: 'email', extra: {chat_id: 'C1'}},
		});
		expect(subscriptionEntry(previous, {onFailure: ''}, created)).not.toHaveProperty('on_failure');
		expect(subscriptionEntry(previous, {...flags, coalesce: ''}, created)).not.toHaveProperty('coalesce');
	});

	test.each<[CommandFlags, string]>([
		[{secretEnv: 'whsec_a-secret'}, '--secret-env must be the NAME of a variable, never a secret'],
		[{secretEnv: ''}, '--secret-env must be the NAME of a variable, never a secret'],
		[{filter: 'action=opened'}, '--filter must be a filter or a list of filters, as JSON'],
		[{filter: '{"feld":"action"}'}, '--filter must be a filter or a list of filters, as JSON'],
		[{filter: '7'}, '--filter must be a filter or a list of filters, as JSON'],
		[{extra: ['thread_id']}, '--extra must be KEY=VALUE'],
		[{extra: ['=7']}, '--extra must be KEY=VALUE'],
		[{set: ['signature.url']}, '--set must be KEY=VALUE'],
		[{set: ['secret.topic-arn=x']}, 'did you mean "secret.topic_arn"?'],
		[{set: ['secret=abc']}, '"secret" is not a known key of --set'],
		[{set: ['challenge.token=hush']}, '--set challenge.token must be a reference to a variable'],
		[{set: ['challenge.token=${A}hush']}, '--set challenge.token must be a reference to a variable'],
		[{set: ['secret.email=a'], secretEnv: 'B'}, '--secret-env and --set secret.… cannot be combined'],
	])('%j is refused', (flags, message) => {
		expect(() => subscriptionEntry(undefined, flags, created)).toThrow(message);
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

	test('keeps the mapping of its secret, and changes one member', () => {
		const pubsub = {...previous, signature: 'pubsub', secret: {audience: 'a', email: 'b'}};
		expect(subscriptionEntry(pubsub, {prompt: 'new'}, created)['secret']).toEqual(pubsub.secret);
		const changed = subscriptionEntry(pubsub, {preset: 'pubsub', set: ['secret.email=c']}, created);
		expect(changed['secret']).toEqual({audience: 'a', email: 'c'});
		const own = {...pubsub, signature: {algorithm: 'jwt', header: 'x'}};
		expect(subscriptionEntry(own, {prompt: 'new'}, created)['secret']).toEqual(pubsub.secret);
	});

	test('to another provider begins its signature anew, and a secret of another kind goes', () => {
		const square = {...previous, signature: {preset: 'square', url: 'https://a.example'}};
		expect(subscriptionEntry(square, {set: ['signature.url=']}, created)['signature']).toBe('square');
		expect(subscriptionEntry(square, {preset: 'square'}, created)['signature']).toEqual(square.signature);
		expect(subscriptionEntry(square, {preset: 'stripe'}, created)).toMatchObject({signature: 'stripe', secret: 'kept'});
		const sns = subscriptionEntry(square, {preset: 'sns', set: ['secret.topic_arn=a']}, created);
		expect(sns).toMatchObject({signature: 'sns', secret: {topic_arn: 'a'}});
		expect(subscriptionEntry(sns, {preset: 'stripe'}, created)).toMatchObject({signature: 'stripe', secret: 'fresh'});
	});

	test('of an entry that is no mapping starts from nothing', () => {
		expect(subscriptionEntry(7, {}, created)).toEqual(created);
	});
});
