import {describe, expect, onTestFinished, test} from 'vitest';
import {runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openSlack} from '../../simulators/platforms/slack.ts';
import {openTelegram} from '../../simulators/platforms/telegram.ts';

/** A gateway whose route `r` delivers to Slack and Telegram at once. */
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
	const webhook = {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes: {r: route}};
	const yaml = JSON.stringify({
		platforms: {telegram: telegram.settings, slack: {...slack.settings, home_channel: slack.chatId}, webhook},
	});
	const running = await runGateway(yaml, temporaryDirectory());
	await running.eventWhere(({type}) => type === 'webhook.state');
	const post = async (id: string, {channel = slack.chatId}: {channel?: string} = {}) => {
		const response = await fetch(`${running.gateway.webhookUrl()}/webhooks/r`, {
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
	test('delivers to every target, and after a failure only to the one that failed', async () => {
		const {slack, post, texts} = await start();
		slack.plan({kind: 'rejected'});
		expect(await post('d1')).toBe('502 Delivery failed');
		expect(texts()).toEqual({slack: [], telegram: ['Build 17']});
		expect(await post('d1')).toBe('200 slack,telegram');
		expect(await post('d1')).toBe('200 duplicate');
		expect(texts()).toMatchObject({slack: ['Build 17'], telegram: ['Build 17']});
	});

	test('refuses a chat that is empty after rendering, and does not take the home channel', async () => {
		const {post, texts} = await start();
		expect(await post('d1', {channel: ''})).toBe('502 Delivery failed');
		expect(texts()).toEqual({slack: [], telegram: ['Build 17']});
	});
});
