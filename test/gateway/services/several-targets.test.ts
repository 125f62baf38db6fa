import {describe, expect, onTestFinished, test} from 'vitest';
import {runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openSlack} from '../../simulators/platforms/slack.ts';
import {openTelegram} from '../../simulators/platforms/telegram.ts';

/** A gateway whose route `r` delivers to Slack and Telegram at once; failures go to another chat of Telegram. */
async function start() {
	const [telegram, slack] = [await openTelegram(), await openSlack()];
	onTestFinished(telegram.close);
	onTestFinished(slack.close);
	const route = {
		prompt: '{title}',
		deliver_only: true,
		deliver: [
			{target: 'slack', extra: {chat_id: '{channel}'}},
			{target: 'telegram', extra: {chat_id: telegram.chatId}},
		],
	};
	const routes = {r: route, quiet: {...route, on_failure: {deliver: 'log'}}};
	const webhook = {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes};
	const yaml = JSON.stringify({
		platforms: {telegram: telegram.settings, slack: {...slack.settings, home_channel: slack.chatId}, webhook},
		agent: {on_failure: {deliver: 'telegram', extra: {chat_id: telegram.chatId}}},
	});
	const running = await runGateway(yaml, temporaryDirectory());
	await running.eventWhere(({type}) => type === 'webhook.state');
	const post = async (id: string, {channel = slack.chatId, path = 'r'}: {channel?: string; path?: string} = {}) => {
		const response = await fetch(`${running.gateway.webhookUrl()}/webhooks/${path}`, {
			method: 'POST',
			headers: {'x-request-id': id},
			body: JSON.stringify({title: 'Build 17', channel}),
		});
		const body = Object(await response.json());
		return `${response.status} ${body.target ?? body.error ?? body.status}`;
	};

	const texts = () => ({
		slack: slack.received.map(({text}) => text),
		telegram: telegram.received.map(({text}) => text),
	});
	return {...running, telegram, slack, post, texts};
}

describe('a gateway', () => {
	test('delivers to every target, and after a failure only to the one that failed; one message tells of it', async () => {
		const {slack, post, texts} = await start();
		slack.plan({kind: 'rejected'});
		expect(await post('d1')).toBe('502 Delivery failed');
		await expect.poll(() => texts().telegram.length).toBe(2);
		expect(texts()).toEqual({
			slack: [],
			telegram: [
				'Build 17',
				expect.stringContaining('A delivery of route r failed: slack: Delivery failed; arrived: telegram'),
			],
		});
		expect(await post('d1')).toBe('200 slack,telegram');
		expect(await post('d1')).toBe('200 duplicate');
		expect(texts()).toMatchObject({slack: ['Build 17'], telegram: {length: 2}});
	});

	test('refuses a chat that is empty after rendering, and does not take the home channel', async () => {
		const {post, texts} = await start();
		expect(await post('d1', {channel: '', path: 'quiet'})).toBe('502 Delivery failed');
		expect(texts()).toEqual({slack: [], telegram: ['Build 17']});
	});
});
