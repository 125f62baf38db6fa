import {describe, expect, test} from 'vitest';
import {Problem} from '../../../source/util/problem.ts';
import {elsewhere, openDirectRoutes} from '../direct-routes.ts';
import {dial} from '../open-adapter.ts';

describe('a retry while the first delivery is under way', () => {
	test.each([
		{
			kind: 'delivered',
			words: '200 delivered',
			row: '200 delivered',
			later: '200 duplicate',
		},
		{
			kind: 'failed',
			words: '502 Delivery failed',
			row: '502 delivery_failed Delivery failed',
			later: '200 delivered',
		},
		{
			kind: 'uncertain',
			words: '502 Delivery failed',
			row: '502 outcome_uncertain Delivery not confirmed',
			later: '200 duplicate',
		},
	] as const)(
		'gets the answer of the first that is $kind, however many wait; a later one is $later',
		async ({kind, words, row, later}) => {
			const {post, postAndWait, begun, sent, rows, journal, clock} = await openDirectRoutes();
			const first = post('one');
			await begun(1);
			const retries = await postAndWait(3, 'one');
			// None of them was answered yet.
			expect(await rows()).toEqual(['502 outcome_uncertain Delivery not confirmed']);
			sent[0]?.end(kind);
			const answers = await Promise.all([first, ...retries]);
			expect(answers.map(answer => answer.words)).toEqual([words, words, words, words]);
			expect(new Set(answers.map(({body}) => JSON.stringify(body))).size).toBe(1);
			await clock.settle();
			const id = (await journal.listEvents({limit: 10})).at(-1)?.id;
			const name = row.split(' ')[1];
			const waited = `${row.slice(0, 3)} duplicate answered as event ${id}: ${name}`;
			expect(await rows()).toEqual([row, waited, waited, waited]);
			expect(sent.map(({text, deliveryId}) => [text, deliveryId])).toEqual([['hi', 'one']]);
			expect(clock.open()).toBe(0);

			const next = post('one');
			await (later === '200 delivered' ? begun(2).then(() => sent[1]?.end('delivered')) : undefined);
			expect((await next).words).toBe(later);
			expect((await post('one')).words).toBe('200 duplicate');
			expect(sent).toHaveLength(later === '200 delivered' ? 2 : 1);
		},
	);

	test('waits also when it comes before the id is claimed', async () => {
		const open = Promise.withResolvers<void>();
		const asked: string[] = [];
		const {post, postAndWait, begun, sent} = await openDirectRoutes({
			journalOf: journal => ({
				...journal,
				async acceptEvent(request) {
					asked.push(request.event.deliveryId);
					await open.promise;
					return journal.acceptEvent(request);
				},
			}),
		});
		const first = post('one');
		await expect.poll(() => asked).toEqual(['one']);
		const [retry] = await postAndWait(1, 'one');
		open.resolve();
		await begun(1);
		sent[0]?.end('delivered');
		expect([(await first).words, (await retry)?.words]).toEqual(['200 delivered', '200 delivered']);
		expect([asked, sent.length]).toEqual([['one'], 1]);
	});

	test.each([
		{kind: 'delivered', later: '200 duplicate'},
		{kind: 'failed', later: '200 delivered'},
		{kind: 'uncertain', later: '200 duplicate'},
	] as const)(
		'is in progress at another gateway of the journal until the first is $kind, and then $later',
		async ({kind, later}) => {
			const {journal, begun, sent, post} = await openDirectRoutes();
			const other = await openDirectRoutes({journal});
			const first = post('one');
			await begun(1);
			expect(await other.post('one')).toMatchObject({words: '503 Delivery in progress', retryAfter: '5'});
			sent[0]?.end(kind);
			await first;
			const next = other.post('one');
			await (later === '200 delivered' ? other.begun(1).then(() => other.sent[0]?.end('delivered')) : undefined);
			expect((await next).words).toBe(later);
			expect(other.sent).toHaveLength(later === '200 delivered' ? 1 : 0);
		},
	);

	test('waits 30 seconds and may come again after five; the first goes on', async () => {
		const {post, postAndWait, begun, sent, clock, waiting, rows} = await openDirectRoutes();
		const first = post('one');
		await begun(1);
		const [retry] = await postAndWait(1, 'one');
		await clock.advance(29_999);
		expect(waiting()).toBe(1);
		await clock.advance(1);
		expect(await retry).toMatchObject({
			words: '503 Delivery in progress',
			body: {error: 'Delivery in progress'},
			retryAfter: '5',
		});
		const [again] = await postAndWait(1, 'one');
		sent[0]?.end('delivered');
		expect([(await first).words, (await again)?.words]).toEqual(['200 delivered', '200 delivered']);
		await clock.settle();
		expect(await rows()).toEqual([
			'200 delivered',
			'503 unavailable Delivery in progress',
			expect.stringContaining('200 duplicate answered as event'),
		]);
		expect(sent).toHaveLength(1);
	});

	test('is answered at once that it is in progress when 64 wait already, and another may wait after them', async () => {
		const {post, postAndWait, begun, sent} = await openDirectRoutes();
		const first = post('one');
		await begun(1);
		const waiting = await postAndWait(64, 'one');
		expect(await post('one')).toMatchObject({words: '503 Delivery in progress', retryAfter: '5'});
		// Another delivery is not delayed by them.
		const other = post('two');
		await begun(2);
		sent[1]?.end('delivered');
		expect((await other).words).toBe('200 delivered');
		sent[0]?.end('failed');
		const answers = await Promise.all([first, ...waiting]);
		expect(new Set(answers.map(({words}) => words))).toEqual(new Set(['502 Delivery failed']));
		const next = post('one');
		await begun(3);
		const [retry] = await postAndWait(1, 'one');
		sent[2]?.end('delivered');
		expect([(await next).words, (await retry)?.words]).toEqual(['200 delivered', '200 delivered']);
	});

	test('that hangs up while it waits changes nothing and is a row', async () => {
		const {url, clock, waiting, post, begun, sent, rows} = await openDirectRoutes();
		const first = post('one');
		await begun(1);
		const {socket, closed} = dial(url);
		socket.write('POST /webhooks/r HTTP/1.1\r\nhost: x\r\nx-request-id: one\r\ncontent-length: 2\r\n\r\n{}');
		await expect.poll(waiting).toBe(1);
		socket.destroy();
		await closed;
		sent[0]?.end('delivered');
		expect((await first).words).toBe('200 delivered');
		await clock.settle();
		expect(await rows()).toEqual(['200 delivered', expect.stringContaining('200 duplicate answered as event')]);
		expect((await post('one')).words).toBe('200 duplicate');
	});

	test('outlives a first sender who hung up', async () => {
		const {url, postAndWait, begun, sent} = await openDirectRoutes();
		const {socket, closed} = dial(url);
		socket.write('POST /webhooks/r HTTP/1.1\r\nhost: x\r\nx-request-id: one\r\ncontent-length: 2\r\n\r\n{}');
		await begun(1);
		socket.destroy();
		await closed;
		const [retry] = await postAndWait(1, 'one');
		sent[0]?.end('failed');
		expect((await retry)?.words).toBe('502 Delivery failed');
	});

	test('is answered that the gateway stops, and the first keeps its id', async () => {
		const {adapter, post, postAndWait, begun, clock, journal, rows} = await openDirectRoutes();
		const first = post('one');
		await begun(1);
		const [retry] = await postAndWait(1, 'one');
		const closing = adapter.close();
		await clock.settle();
		await clock.advance(2000);
		expect(await retry).toMatchObject({words: '503 Shutting down', retryAfter: '10'});
		expect((await first).words).toBe('502 Delivery failed');
		await closing;
		await clock.settle();
		expect(await rows()).toEqual(['502 outcome_uncertain Delivery not confirmed', '503 unavailable Shutting down']);
		expect(await journal.listMessages({limit: 10})).toMatchObject([
			{state: 'outcome_uncertain', detail: 'the answer was lost'},
		]);
	});

	test('gets the answer of the first when that ends while the gateway stops', async () => {
		const {adapter, post, postAndWait, begun, sent} = await openDirectRoutes();
		const first = post('one');
		await begun(1);
		const [retry] = await postAndWait(1, 'one');
		const closing = adapter.close();
		sent[0]?.end('delivered');
		expect([(await first).words, (await retry)?.words]).toEqual(['200 delivered', '200 delivered']);
		await closing;
	});

	test('at a route of another profile waits as well', async () => {
		const {post, postAndWait, begun, sent} = await openDirectRoutes({otherProfile: () => elsewhere});
		const first = post('one', '/p/work/webhooks/w');
		await begun(1);
		const [retry] = await postAndWait(1, 'one', '/p/work/webhooks/w');
		sent[0]?.end('delivered');
		expect([(await first).words, (await retry)?.words]).toEqual(['200 delivered', '200 delivered']);
		expect(sent).toMatchObject([{profile: 'work'}]);
	});

	test('is refused as the first is when the disk is full, and nothing is sent', async () => {
		const open = Promise.withResolvers<void>();
		const asked: string[] = [];
		const {post, postAndWait, sent} = await openDirectRoutes({
			journalOf: journal => ({
				...journal,
				async acceptEvent({event}) {
					asked.push(event.deliveryId);
					await open.promise;
					throw new Problem('storage_unavailable', {detail: 'disk full'});
				},
			}),
		});
		const first = post('one');
		await expect.poll(() => asked).toEqual(['one']);
		const [retry] = await postAndWait(1, 'one');
		open.resolve();
		expect([(await first).words, (await retry)?.words]).toEqual(['503 Storage unavailable', '503 Storage unavailable']);
		expect(sent).toEqual([]);
	});
});

describe('does not wait', () => {
	test.each([
		{what: 'a delivery of another id', id: 'two', path: '/webhooks/r'},
		{what: 'the same id at another route', id: 'one', path: '/webhooks/s'},
		{what: 'the same id at a route of another profile', id: 'one', path: '/p/work/webhooks/w'},
	])('$what', async ({id, path}) => {
		const {post, begun, sent} = await openDirectRoutes({
			otherProfile: name => (name === 'work' ? elsewhere : undefined),
		});
		const first = post('one');
		await begun(1);
		const second = post(id, path);
		await begun(2);
		expect(sent.map(({route}) => route)).toEqual(['r', path.split('/').at(-1)]);
		sent[1]?.end('delivered');
		sent[0]?.end('failed');
		expect([(await second).words, (await first).words]).toEqual(['200 delivered', '502 Delivery failed']);
	});

	test('a delivery without an id of its sender', async () => {
		const {post, begun, sent} = await openDirectRoutes();
		const both = [post(undefined), post(undefined)];
		await begun(2);
		sent.forEach(({end}) => end('delivered'));
		expect((await Promise.all(both)).map(({words}) => words)).toEqual(['200 delivered', '200 delivered']);
	});

	test('a replay that a person asks for', async () => {
		const {adapter, journal, post, begun, sent} = await openDirectRoutes();
		const first = post('one');
		await begun(1);
		const [row] = await journal.listEvents({limit: 1});
		const event = row && (await journal.findEvent(row.id));
		const replay = adapter.replay({...event!, body: event!.body!});
		await begun(2);
		sent[1]?.end('failed');
		expect(await replay).toMatchObject({status: 502, name: 'delivery_failed'});
		sent[0]?.end('delivered');
		expect((await first).words).toBe('200 delivered');
		// The replay gave back no id that was not its own.
		expect((await post('one')).words).toBe('200 duplicate');
	});
});
