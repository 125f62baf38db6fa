import {connect} from 'node:net';
import {onTestFinished} from 'vitest';
import {fileDocuments} from '../../source/config/values/document-files.ts';
import {createSubscriptionStore} from '../../source/config/webhooks/subscriptions.ts';
import {systemClock} from '../../source/util/clock.ts';
import {type AdapterOptions, createWebhookAdapter} from '../../source/webhooks/webhook-adapter.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {createMemoryJournal} from './memory-journal.ts';
import {webhookConfig} from './webhook-config.ts';

/** An adapter on real sockets, closed with the test. */
export async function openAdapter(options: Partial<AdapterOptions> = {}) {
	const recorded = recordEvents();
	const journal = createMemoryJournal(systemClock.now);
	const adapter = createWebhookAdapter({
		config: webhookConfig(),
		clock: systemClock,
		publish: recorded.publish,
		journal,
		deliver: async ({target}) => ({kind: 'delivered', target}),
		wakeRuns() {},
		queueLimit: () => 10_000,
		profile: 'default',
		directory: '/nowhere',
		subscriptions: createSubscriptionStore(
			fileDocuments({profile: 'default', directory: options.directory ?? '/nowhere'}),
		),
		scripts: {directory: '/nowhere', python: () => 'python3', environment: {}, guard: () => () => () => {}},
		expand: text => text,
		...options,
		limits: {checkMilliseconds: 50, graceMilliseconds: 200, drainMilliseconds: 2000, ...options.limits},
	});
	onTestFinished(() => adapter.close());
	const url = await adapter.listen();
	return {adapter, url, journal, ...recorded};
}

/** A raw connection: what is written goes out as it is, what comes back is collected. */
export function dial(url: string) {
	const {hostname, port} = new URL(url);
	const socket = connect(Number(port), hostname);
	let received = '';
	socket.on('data', chunk => {
		received += chunk.toString('latin1');
	});
	socket.on('error', () => undefined);
	const closed = new Promise<void>(resolve => socket.on('close', () => resolve()));
	onTestFinished(() => void socket.destroy());
	return {
		socket,
		received: () => received,
		/** Resolves when the other side has ended the connection. */
		closed,
		/** Resolves when the text was received. */
		async sees(text: string) {
			while (!received.includes(text)) {
				await new Promise((resolve, reject) => {
					socket.once('data', resolve);
					socket.once('close', () => reject(new Error(`closed after: ${received}`)));
				});
			}
		},
		/** The statuses received so far. */
		statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/gu)].map(match => Number(match[1])),
	};
}
