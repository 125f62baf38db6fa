import {readFileSync, renameSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';

const open = {secret: 'INSECURE_NO_AUTH'};

/** A directory with a file of subscriptions, and an adapter that serves it beside the configured route `open`. */
async function openSubscribed(entries?: object, config = webhookConfig()) {
	const directory = temporaryDirectory();
	const file = join(directory, 'webhook_subscriptions.json');
	const write = (content: object | string) => {
		writeFileSync(`${file}.new`, typeof content === 'string' ? content : JSON.stringify(content));
		renameSync(`${file}.new`, file);
	};

	if (entries) {
		write(entries);
	}

	const learned: string[] = [];
	const opened = await openAdapter({directory, config, learnSecret: secret => void learned.push(secret)});
	const post = async (name: string) =>
		(await fetch(`${opened.url}/webhooks/${name}`, {method: 'POST', body: '{}'})).status;
	const warnings = () => opened.ofType('log').map(({text}) => text);
	return {...opened, file, write, post, warnings, learned};
}

describe('a subscription', () => {
	test('that is there at the start is served', async () => {
		const {post, ofType} = await openSubscribed({alerts: open});
		expect(await post('alerts')).toBe(202);
		expect(ofType('webhook.state')[0]).toMatchObject({routes: 2});
	});

	test('that is written later is served by the next request', async () => {
		const {post, write, ofType} = await openSubscribed();
		expect(await post('alerts')).toBe(404);
		write({alerts: open});
		expect(await post('alerts')).toBe(202);
		expect(ofType('webhook.state').at(-1)).toMatchObject({state: 'listening', routes: 2});
	});

	test('that is taken out is gone at the next request', async () => {
		const {post, write, file} = await openSubscribed({alerts: open, others: open});
		write({others: open});
		expect(await post('alerts')).toBe(404);
		rmSync(file);
		expect(await post('others')).toBe(404);
	});

	test('is noticed by the modification time alone', async () => {
		const {post, file} = await openSubscribed({alert: open});
		writeFileSync(file, readFileSync(file, 'utf8').replace('alert', 'other'));
		utimesSync(file, new Date(), new Date(Date.now() + 5000));
		expect(await post('other')).toBe(202);
	});

	test('survives a reload of the configuration', async () => {
		const {adapter, post} = await openSubscribed({alerts: open});
		await adapter.apply(webhookConfig({routes: [{name: 'fresh'}]}));
		expect([await post('alerts'), await post('fresh')]).toEqual([202, 202]);
	});

	test('has the capabilities of a configured route', async () => {
		const {url} = await openSubscribed({alerts: {...open, filters: [{field: 'a', equals: 1}]}});
		const response = await fetch(`${url}/webhooks/alerts`, {method: 'POST', body: '{"a":2}'});
		expect(await response.json()).toEqual({status: 'ignored', reason: 'filter', route: 'alerts'});
	});

	test('does not give a used quota back when the file changes', async () => {
		const {post, write} = await openSubscribed({alerts: open}, webhookConfig({rateLimit: 1}));
		expect(await post('alerts')).toBe(202);
		write({alerts: {...open, description: 'changed'}});
		expect(await post('alerts')).toBe(429);
	});

	test('without a secret of its own takes the global one', async () => {
		const config = {...webhookConfig(), secrets: ['the global secret']};
		const {post, warnings} = await openSubscribed({alerts: {}}, config);
		expect([await post('alerts'), warnings()]).toEqual([401, []]);
	});

	test('has its secret learnt, so that it is never shown', async () => {
		const {learned} = await openSubscribed({alerts: {secret: 'very secret'}, others: open});
		expect(learned).toEqual(['very secret']);
	});
});

describe('a configured route of the same name', () => {
	test('takes precedence', async () => {
		const {post, warnings} = await openSubscribed({open: {...open, enabled: false}});
		expect(await post('open')).toBe(202);
		expect(warnings()).toEqual([
			expect.stringContaining('config.yaml has a route with this name, and that one is used'),
		]);
	});

	test('takes precedence when it cannot be served itself', async () => {
		const {Problem} = await import('../../../source/util/problem.ts');
		const brokenRoutes = [{name: 'broken', problem: new Problem('config_invalid')}];
		const {post} = await openSubscribed({broken: open}, {...webhookConfig(), brokenRoutes});
		expect(await post('broken')).toBe(404);
	});
});

describe('a bad entry', () => {
	test.each([
		['no mapping', 7, 'A number is not allowed here'],
		['without any secret', {}, 'No secret is set'],
		['deliver_only to the log', {...open, deliver_only: true}, 'deliver_only'],
		['an unknown target', {...open, deliver: 'pigeon'}, 'deliver'],
		['a wrong prompt', {...open, prompt: {}}, 'prompt'],
		['an empty secret', {secret: ''}, 'No secret is set'],
	])('is skipped with its reason, and the others are served: %s', async (_, entry, reason) => {
		const {post, warnings} = await openSubscribed({bad: entry, good: open});
		expect([await post('bad'), await post('good')]).toEqual([404, 202]);
		expect(warnings()).toEqual([expect.stringMatching(new RegExp(`bad.*${reason}`, 'u'))]);
	});

	test('INSECURE_NO_AUTH is refused on a host that is not the loopback', async () => {
		const {post, warnings} = await openSubscribed({bad: open}, webhookConfig({host: '0.0.0.0'}));
		expect([await post('bad'), warnings()]).toEqual([404, [expect.stringContaining('INSECURE_NO_AUTH')]]);
	});

	test('with a refused pattern is paused and logged', async () => {
		const {post, warnings} = await openSubscribed({bad: {...open, filters: [{field: 'a', regex: '(?=a)'}]}});
		expect([await post('bad'), warnings()]).toEqual([503, [expect.stringContaining('route bad')]]);
	});

	test.each(['{', '[]', '"text"'])('an unusable file (%s) changes nothing and is logged once', async content => {
		const {post, write, warnings} = await openSubscribed({alerts: open});
		write(content);
		expect([await post('alerts'), await post('alerts')]).toEqual([202, 202]);
		expect(warnings()).toEqual([expect.any(String), 'The previous subscriptions stay in use']);
	});
});
