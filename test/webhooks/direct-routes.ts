import {expect} from 'vitest';
import {type Delivery, type DeliveryResult} from '../../source/delivery/deliver.ts';
import {type Journal} from '../../source/journal/journal.ts';
import {Problem} from '../../source/util/problem.ts';
import {type AdapterOptions} from '../../source/webhooks/webhook-adapter.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {openAdapter} from './open-adapter.ts';
import {webhookConfig} from './webhook-config.ts';
import {to} from '../helpers/destinations.ts';

const waitMilliseconds = 30_000;

const scripts = {directory: '/nowhere', python: () => 'python3', environment: {}, guard: () => () => () => {}};
/** The settings of the profile `work` for its routes. */
export const elsewhere = {directory: '/nowhere', scripts};

const results: Readonly<Record<DeliveryResult['kind'], DeliveryResult>> = {
	delivered: {kind: 'delivered', target: 'telegram'},
	failed: {kind: 'failed', problem: new Problem('delivery_failed', {detail: 'chat not found'})},
	retrying: {kind: 'retrying', problem: new Problem('delivery_failed', {detail: 'refused'}), nextAt: 10_000},
	uncertain: {kind: 'uncertain', problem: new Problem('outcome_uncertain', {detail: 'the answer was lost'})},
};

/** A clock that knows how many requests wait for a delivery: nothing else here takes 30 seconds. */
function watchedClock() {
	const clock = createFakeClock();
	const open = new Set<object>();
	const after: typeof clock.after = (milliseconds, callback) => {
		const wait = {};
		const leave = () => void (milliseconds === waitMilliseconds && open.delete(wait));
		if (milliseconds === waitMilliseconds) {
			open.add(wait);
		}

		const timer = clock.after(milliseconds, () => {
			leave();
			callback();
		});
		return {
			cancel() {
				leave();
				timer.cancel();
			},
		};
	};

	return {clock: {...clock, after}, waiting: () => open.size};
}

/** Routes that deliver at once, on real sockets over a real journal. What is sent stays under way until the test ends it. */
export async function openDirectRoutes(
	options: Partial<AdapterOptions> & {readonly journalOf?: (journal: Journal) => Journal} = {},
) {
	const {journalOf = same => same, ...others} = options;
	const {clock, waiting} = watchedClock();
	const opened = openTestJournal({clock});
	const journal = journalOf(opened);
	const sent: Array<Delivery & {readonly end: (kind: DeliveryResult['kind']) => void}> = [];
	const direct = {action: 'deliver-only', deliver: to('telegram'), prompt: '{title}'} as const;
	const routes = [
		{name: 'r', ...direct},
		{name: 's', ...direct},
		{name: 'w', ...direct, profile: 'work'},
	];
	const {url, adapter} = await openAdapter({
		config: webhookConfig({routes, rateLimit: 1000}),
		clock,
		journal,
		deliver: (delivery, {signal}) =>
			new Promise(resolve => {
				sent.push({...delivery, end: kind => resolve(results[kind])});
				signal.addEventListener('abort', () => resolve(results.uncertain));
			}),
		limits: {bodyMilliseconds: 20_000},
		...others,
	});
	const post = async (id: string | undefined, path = '/webhooks/r') => {
		const headers = id === undefined ? {} : {'x-request-id': id};
		const response = await fetch(`${url}${path}`, {method: 'POST', body: '{"title":"hi"}', headers});
		const answer = Object(await response.json());
		return {
			words: `${response.status} ${answer.status === 'error' ? answer.error : (answer.status ?? answer.error)}`,
			retryAfter: response.headers.get('retry-after'),
			body: answer,
		};
	};

	/** Posts so often, and comes back once all of them wait. */
	const postAndWait = async (count: number, id: string, path?: string) => {
		const all = waiting() + count;
		const answers = Array.from({length: count}, () => post(id, path));
		await expect.poll(waiting).toBe(all);
		return answers;
	};

	const begun = (count: number) => expect.poll(() => sent.length).toBe(count);
	const rows = async () =>
		(await opened.listEvents({limit: 100}))
			.toReversed()
			.map(({status, outcome, reason = ''}) => `${status} ${outcome} ${reason}`.trim());
	return {url, adapter, clock, waiting, journal: opened, sent, post, postAndWait, begun, rows};
}
