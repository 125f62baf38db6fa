import {describe, expect, test} from 'vitest';
import {type Delivery, type DeliveryResult} from '../../../source/delivery/deliver.ts';
import {type Journal} from '../../../source/journal/journal.ts';
import {type Destination} from '../../../source/util/destinations.ts';
import {type Failure} from '../../../source/runs/failure-notices.ts';
import {Problem} from '../../../source/util/problem.ts';
import {type AdapterOptions} from '../../../source/webhooks/webhook-adapter.ts';
import {to} from '../../helpers/destinations.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {type JournalEngine, journalEngines} from '../../helpers/journal-engines.ts';
import {openAdapter} from '../open-adapter.ts';
import {webhookConfig} from '../webhook-config.ts';

const hour = 3_600_000;
const results: Readonly<Record<'ok' | 'no' | 'doubt', (target: string) => DeliveryResult>> = {
	ok: target => ({kind: 'delivered', target}),
	no: () => ({kind: 'failed', problem: new Problem('delivery_failed', {detail: 'status 403'})}),
	doubt: () => ({kind: 'uncertain', problem: new Problem('outcome_uncertain', {message: 'it may have arrived'})}),
};
type Word = keyof typeof results;

type RouteOptions = {
	readonly destinations?: readonly Destination[];
	/** The results of each request, by target; default: all arrive. */
	readonly answers?: ReadonlyArray<Readonly<Record<string, Word>>>;
	/** Default: one of its own. */
	readonly journal?: Journal;
	readonly deliver?: AdapterOptions['deliver'];
};

/** A route that delivers at once to a list, on real sockets over a journal of the engine. */
async function openRoute({open}: Pick<JournalEngine, 'open'>, options: RouteOptions = {}) {
	const {destinations = [...to('slack'), ...to('telegram')], answers = []} = options;
	const clock = createFakeClock();
	const journal = options.journal ?? (await open({clock}));
	const sent: Delivery[] = [];
	const failures: Failure[] = [];
	let requests = 0;
	const routes = [{name: 'r', action: 'deliver-only', deliver: destinations, prompt: '{title}'} as const];
	const {url} = await openAdapter({
		config: webhookConfig({routes, rateLimit: 1000}),
		clock,
		journal,
		async deliver(delivery, sending) {
			sent.push(delivery);
			const word = answers[requests - 1]?.[delivery.target] ?? 'ok';
			return options.deliver?.(delivery, sending) ?? results[word](delivery.target);
		},
		noteFailure: async failure => void failures.push(failure),
	});
	const post = async (id = 'd-1', payload: object = {title: 'hi'}) => {
		requests++;
		const headers = {'x-request-id': id};
		const response = await fetch(`${url}/webhooks/r`, {method: 'POST', body: JSON.stringify(payload), headers});
		return {status: response.status, body: await response.json()};
	};

	const targets = () => sent.splice(0).map(({target}) => target);
	return {clock, journal, sent, targets, failures, post};
}

const delivered = {
	status: 200,
	body: {status: 'delivered', route: 'r', target: 'slack,telegram', delivery_id: 'd-1'},
};
const refused = {status: 502, body: {status: 'error', error: 'Delivery failed', delivery_id: 'd-1'}};
const duplicate = {status: 200, body: {status: 'duplicate', delivery_id: 'd-1'}};

describe.each(journalEngines)('on $engine, a deliver_only route with a list', engine => {
	test.each<{
		readonly what: string;
		readonly answers: ReadonlyArray<Readonly<Record<string, Word>>>;
		readonly replies: readonly object[];
		readonly sent: ReadonlyArray<readonly string[]>;
	}>([
		{
			what: 'all arrive: a retry is a duplicate',
			answers: [],
			replies: [delivered, duplicate],
			sent: [['slack', 'telegram'], []],
		},
		{
			what: 'one fails: a retry sends that alone, and all have arrived',
			answers: [{telegram: 'no'}],
			replies: [refused, delivered, duplicate],
			sent: [['slack', 'telegram'], ['telegram'], []],
		},
		{
			what: 'one fails twice: what arrived first is sent by no retry',
			answers: [{slack: 'no'}, {slack: 'no'}],
			replies: [refused, refused, delivered, duplicate],
			sent: [['slack', 'telegram'], ['slack'], ['slack'], []],
		},
		{
			what: 'all fail: a retry sends all',
			answers: [{slack: 'no', telegram: 'no'}],
			replies: [refused, delivered],
			sent: [
				['slack', 'telegram'],
				['slack', 'telegram'],
			],
		},
		{
			what: 'one is in doubt and the other arrived: only doubt remains',
			answers: [{telegram: 'doubt'}],
			replies: [refused, duplicate],
			sent: [['slack', 'telegram'], []],
		},
		{
			what: 'all are in doubt: nothing is sent again',
			answers: [{slack: 'doubt', telegram: 'doubt'}],
			replies: [refused, duplicate],
			sent: [['slack', 'telegram'], []],
		},
		{
			what: 'one fails and the other is in doubt: a retry sends the failed one, then only doubt remains',
			answers: [{slack: 'no', telegram: 'doubt'}],
			replies: [refused, refused, duplicate],
			sent: [['slack', 'telegram'], ['slack'], []],
		},
	])('$what', async ({answers, replies, sent}) => {
		const {post, targets} = await openRoute(engine, {answers});
		const seen: object[] = [];
		const reached: string[][] = [];
		for (const _ of replies) {
			seen.push(await post());
			reached.push(targets().sort());
		}

		expect([seen, reached]).toEqual([replies, sent]);
	});

	test('entries of one target are told apart by their keys', async () => {
		const deliver = [...to('telegram', {chat_id: '{a}'}), ...to('telegram', {chat_id: '{b}'})];
		const {post, sent} = await openRoute(engine, {
			destinations: deliver,
			deliver: async ({target, extra}) => results[extra['chat_id'] === '2' && sent.length < 3 ? 'no' : 'ok'](target),
		});
		const payload = {title: 'hi', a: '1', b: '2'};
		expect(await post('d-1', payload)).toMatchObject({status: 502});
		expect(await post('d-1', payload)).toMatchObject({status: 200, body: {target: 'telegram,telegram'}});
		expect(new Set(sent.map(({extra}) => extra['chat_id']))).toEqual(new Set(['1', '2']));
		expect(sent).toHaveLength(3);
	});

	test('another id, and the same id an hour later, are deliveries of their own', async () => {
		const {post, targets, clock} = await openRoute(engine, {answers: [{telegram: 'no'}]});
		await post('d-1');
		targets();
		expect(await post('d-2')).toMatchObject({status: 200});
		expect(targets().sort()).toEqual(['slack', 'telegram']);
		await clock.advance(hour + 1);
		expect(await post('d-1')).toMatchObject({status: 200});
		expect(targets().sort()).toEqual(['slack', 'telegram']);
	});

	test('what a person has sent meanwhile is not sent by a retry', async () => {
		const {post, targets, journal} = await openRoute(engine, {answers: [{telegram: 'no'}]});
		await post();
		targets();
		const [failed] = await journal.listMessages({states: ['failed'], limit: 1});
		await journal.beginMessage(failed?.id ?? '', 'failed');
		expect(await post()).toMatchObject({status: 503, body: {error: 'Delivery in progress'}});
		await journal.finishMessage(failed?.id ?? '', 'sent');
		expect([await post(), targets()]).toEqual([duplicate, []]);
	});

	test('another gateway that sends between the look and the claim: nothing is sent twice', async () => {
		let looks = 0;
		const other = await openRoute(engine, {answers: [{telegram: 'no'}]});
		await other.post();
		other.targets();
		const journal: Journal = {
			...other.journal,
			async listDeliveryMessages(delivery) {
				const found = await other.journal.listDeliveryMessages(delivery);
				const isFirst = looks++ === 0;
				return isFirst ? [] : found;
			},
		};
		const late = await openRoute(engine, {journal});
		expect([await late.post(), late.targets()]).toEqual([refused, []]);
		expect([await late.post(), late.targets()]).toEqual([delivered, ['telegram']]);
	});

	test('event, id and messages are on disk before one is sent, and in doubt after a crash', async () => {
		const seen: string[] = [];
		const {post, journal} = await openRoute(engine, {
			async deliver({target}) {
				const rows = await journal.listMessages({limit: 10});
				seen.push(rows.map(({state}) => state).join(' '));
				return results.ok(target);
			},
		});
		await post();
		expect(seen).toEqual(['sending sending', 'sending sending']);
	});

	test('each failure is announced once, with the target in its reason', async () => {
		const {post, failures} = await openRoute(engine, {answers: [{telegram: 'no'}, {telegram: 'doubt'}]});
		await post();
		await post();
		expect(failures).toMatchObject([
			{route: 'r', deliveryId: 'd-1', reason: 'telegram: Delivery failed; arrived: slack'},
			{route: 'r', reason: 'it may have arrived'},
		]);
	});
});
