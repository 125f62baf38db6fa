import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {loadConfig} from '../../source/config/read/load-config.ts';
import {statePaths} from '../../source/config/read/state-paths.ts';
import {fileDocuments} from '../../source/config/values/document-files.ts';
import {createSubscriptionStore} from '../../source/config/webhooks/subscriptions.ts';
import {createExpand} from '../../source/config/secrets/variables.ts';
import {demoDelivery} from '../../source/demo/demo-deliveries.ts';
import {signDelivery} from '../../source/demo/demo-sender.ts';
import {prepareDemo} from '../../source/demo/prepare-demo.ts';
import {openJournal} from '../../source/journal/open-journal.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createWebhookAdapter} from '../../source/webhooks/webhook-adapter.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** The real webhook adapter on the configuration of a demo. */
async function startAdapter(): Promise<{url: string; secret: string}> {
	const clock = systemClock;
	const demo = await prepareDemo({clock, stdioServer: {command: 'node', args: []}});
	const environment = {variables: {}, home: '/', workingDirectory: '/'};
	const {config, secrets} = await loadConfig({paths: statePaths({root: demo.root, profile: 'default'}), environment});
	const journal = openJournal({path: join(demo.root, 'journal.db'), clock, limits: () => config.journal});
	const adapter = createWebhookAdapter({
		config: config.webhook,
		clock,
		publish: recordEvents().publish,
		journal,
		deliver: async ({target}) => ({kind: 'delivered', target}),
		wakeRuns: () => undefined,
		queueLimit: () => 100,
		profile: 'default',
		directory: demo.root,
		subscriptions: createSubscriptionStore(fileDocuments({profile: 'default', directory: demo.root})),
		scripts: {directory: '/nowhere', python: () => 'python3', environment: {}, guard: () => () => () => {}},
		expand: createExpand(secrets, environment),
	});
	onTestFinished(async () => {
		await adapter.close();
		await journal.close();
		await demo.close();
	});
	return {url: await adapter.listen(), secret: secrets.variables('WEBHOOK_SECRET') ?? ''};
}

test('a round of demo deliveries shows every kind of answer', async () => {
	const {url, secret} = await startAdapter();
	const answers: string[] = [];
	for (let number = 0; number < 8; number++) {
		const delivery = signDelivery(demoDelivery(number), {secret, now: Date.now(), webhookUrl: url});
		const response = await fetch(delivery.url, {method: 'POST', headers: delivery.headers, body: delivery.body});
		const body = Object(await response.json());
		answers.push([response.status, body.status ?? body.error, body.reason].filter(Boolean).join(' '));
	}

	expect(answers).toEqual([
		'202 accepted',
		'200 ignored filter',
		'401 Invalid signature',
		'200 ignored event',
		'200 duplicate',
		'202 accepted',
		'202 accepted',
		'404 Unknown route: demo-forgotten',
	]);
});
