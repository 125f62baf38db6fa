import {describe, expect, test} from 'vitest';
import {decision} from '../helpers/decision.ts';
import {openDashboard} from './open-dashboard.ts';
import {approval, server, settled, started} from './sample-events.ts';

const base = [started(), server('github'), approval('7f3a')];
const risky = [started(), server('github'), approval('7f3a', {hints: {destructiveHint: true}})];

async function openReview(events = base, options: {readonly columns?: number; readonly rows?: number} = {}) {
	const dashboard = await openDashboard({...options, events});
	await dashboard.press('A');
	await dashboard.shows('APPROVAL 1 of');
	return dashboard;
}

describe('a card', () => {
	test('shows server, trust, tool, origin and all arguments', async () => {
		const {shows} = await openReview();
		for (const text of [
			'github',
			'UNTRUSTED',
			'mcp__github__create_issue',
			'robot',
			'"repo": "acme/app"',
			'all shown',
		]) {
			await shows(text);
		}
	});

	const fromWebhook = (deliveryId: string) => ({
		kind: 'run' as const,
		runId: '0123456789ab',
		job: 'nightly report',
		route: 'issues',
		signature: 'X-Hub-Signature-256',
		deliveryId,
	});

	test.each([
		[80, 24],
		[100, 30],
		[160, 50],
	])('names run, job, route, signature and delivery of a webhook at %dx%d', async (columns, rows) => {
		const origin = fromWebhook('72d3162e-cc78-11e3-81ab-4c9367dc0958');
		const {shows} = await openReview([...base.slice(0, 2), approval('7f3a', {origin})], {columns, rows});
		const parts = ['run 456789ab', 'job nightly report', 'route issues', 'signature', 'X-Hub-Signature-256'];
		for (const text of [...parts, '72d3162e-cc78-11e3-81ab-4c9367dc0958']) {
			await shows(text);
		}
	});

	test.each([
		[60, 20],
		[80, 24],
	])(
		'keeps signature, arguments and answers when the sender chose a long delivery id, at %dx%d',
		async (columns, rows) => {
			const origin = fromWebhook('x'.repeat(200));
			const {shows} = await openReview([...base.slice(0, 2), approval('7f3a', {origin})], {columns, rows});
			for (const text of ['X-Hub-Signature-256', '"repo": "acme/app"', 'Allow once', 'x…']) {
				await shows(text);
			}
		},
	);

	test('names the signature on the smallest screen', async () => {
		const origin = {...fromWebhook('x'.repeat(200)), job: undefined};
		const {shows} = await openReview([...base.slice(0, 2), approval('7f3a', {origin})], {columns: 40, rows: 10});
		await shows('signature X-Hub-Signature');
		await shows('"repo": "acme/app"');
	});

	test('marks the further lines of an origin, so that none can pose as another field', async () => {
		const origin = {kind: 'endpoint' as const, client: `robot${'-'.repeat(39)} tool    harmless`};
		const {shows} = await openReview([...base.slice(0, 2), approval('7f3a', {origin})], {columns: 80, rows: 24});
		await shows('       … tool ␠␠␠harmless"');
	});

	test('shows what changed since the tool was allowed', async () => {
		const {shows} = await openReview([
			...base.slice(0, 2),
			approval('7f3a', {definitionChange: 'readOnlyHint: true → false'}),
		]);
		await shows('readOnlyHint: true → false');
	});

	test('stays when another request arrives', async () => {
		const {dispatch, shows} = await openReview();
		await dispatch(approval('8b1c', {tool: 'other'}));
		await shows('APPROVAL 1 of 2');
		await shows('create_issue');
	});

	test('counts down while it is shown', async () => {
		const {clock, shows} = await openReview();
		await clock.advance(60_000);
		await shows('expires in 3:5');
	});
});

describe('answers', () => {
	test.each([
		['d', {kind: 'deny'}],
		['\r', {kind: 'deny'}],
		['a', {kind: 'approve', scope: 'once'}],
		['s', {kind: 'approve', scope: 'session'}],
	] as const)('%j answers %j with id and argument hash', async (key, verdict) => {
		const {press, sent} = await openReview();
		await press(key);
		expect(sent).toEqual([decision(verdict)]);
	});

	test('m sends a denial with its reason', async () => {
		const {press, sent, shows} = await openReview();
		await press('m');
		await shows('deny, because:');
		await press('add a label first');
		await shows('add a label first');
		await press('\r');
		expect(sent).toEqual([decision({kind: 'deny', message: 'add a label first'})]);
	});

	test('letters in the reason are text and decide nothing', async () => {
		const {press, sent, shows} = await openReview();
		await press('m');
		await shows('deny, because:');
		for (const key of ['a', 's', 'w', 'd']) {
			await press(key);
		}

		await shows('aswd');
		expect(sent).toEqual([]);
	});

	test('w opens a page that names what is stored, and stores nothing', async () => {
		const {press, sent, shows} = await openReview();
		await press('w');
		await shows('This stores a rule');
		await shows('until its definition changes');
		expect(sent).toEqual([]);
	});

	test.each(['\r', '\u001B'])('%j on that page cancels', async key => {
		const {press, sent, shows} = await openReview();
		await press('w');
		await shows('This stores a rule');
		await press(key);
		await shows('Allow once');
		expect(sent).toEqual([]);
	});

	test('w on that page stores', async () => {
		const {press, sent, shows} = await openReview();
		await press('w');
		await shows('This stores a rule');
		await press('w');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'always'})]);
	});

	test.each([
		['a', 'once'],
		['s', 'session'],
	] as const)('a destructive tool needs %s twice', async (key, scope) => {
		const {press, sent, shows} = await openReview(risky);
		await press(key);
		await shows(`press ${key} again: destructive`);
		expect(sent).toEqual([]);
		await press(key);
		expect(sent).toEqual([decision({kind: 'approve', scope})]);
	});

	test('another letter is no second press', async () => {
		const {press, sent, shows} = await openReview(risky);
		await press('a');
		await shows('press a again');
		await press('s');
		expect(sent).toEqual([]);
	});

	test('Esc goes back and decides nothing', async () => {
		const {press, sent, shows} = await openReview();
		await press('\u001B');
		await shows('─ servers ·');
		expect(sent).toEqual([]);
	});

	test('only the event of the core moves the screen on', async () => {
		const {press, shows, hides, dispatch} = await openReview();
		await press('a');
		await shows('sent, waiting for the gateway');
		await dispatch(settled('7f3a'));
		await hides('APPROVAL');
		await shows('approved (once): github/create_issue');
	});

	test('the next oldest request follows when n asks for it, and a held key does not reach it', async () => {
		const {press, terminal, clock, sent, dispatch, shows} = await openReview([
			...base,
			approval('8b1c', {tool: 'other'}),
		]);
		await press('a');
		await dispatch(settled('7f3a'));
		await shows('1 other is waiting; press n to show it.');
		await press('n');
		await shows('other');
		for (let repeat = 0; repeat < 30; repeat++) {
			terminal.type('a');
			await clock.advance(33);
		}

		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'})]);
	});
});

describe('keys are dropped', () => {
	test('before the card was readable for 700 ms', async () => {
		const {terminal, clock, sent} = await openReview();
		await clock.advance(400);
		terminal.type('a');
		await clock.settle();
		expect(sent).toEqual([]);
	});

	test('when another key came less than 400 ms before', async () => {
		const {terminal, clock, sent, press} = await openReview();
		await press('x');
		await clock.advance(399);
		terminal.type('a');
		await clock.settle();
		expect(sent).toEqual([]);
	});

	test.each([
		['a chunk', 'aa'],
		['a paste', '\u001B[200~a\u001B[201~'],
		['a chunk with Enter', 'a\r'],
		['Meta', '\u001Ba'],
	])('when they come as %s', async (_name, chunk) => {
		const {sent, press} = await openReview();
		await press(chunk);
		expect(sent).toEqual([]);
	});

	test('while the terminal has taken the frame and not come to its end', async () => {
		const {terminal, press, shows, sent} = await openDashboard({events: base});
		terminal.answer(false);
		await press('A');
		await shows('APPROVAL 1 of');
		await press('a');
		await press('\r');
		expect(sent).toEqual([]);
		terminal.answer(true);
		await press('a');
		expect(sent).toEqual([decision({kind: 'approve', scope: 'once'})]);
	});

	test('while the terminal has not taken the frame', async () => {
		const {terminal, press, sent} = await openReview();
		terminal.stall(true);
		await press('a');
		expect(sent).toEqual([]);
	});

	test('in a read-only dashboard', async () => {
		const {press, sent, shows} = await openDashboard({events: base, settings: {readOnly: true}});
		await press('A');
		await shows('nothing can be decided in this dashboard');
		for (const key of ['a', 's', 'd', 'w', '\r', 'w']) {
			await press(key);
		}

		expect(sent).toEqual([]);
	});
});

describe('the word before the keys', () => {
	test.each([
		[40, 10],
		[80, 24],
	])('says that only a denial acts until the request was read to its end, at %ix%i', async (columns, rows) => {
		const long = approval('7f3a', {arguments: {text: Array.from({length: 60}, (_, index) => `line ${index}`)}});
		const {clock, shows, hides, turnToEnd} = await openReview([...base.slice(0, 2), long], {columns, rows});
		await clock.advance(2000);
		await shows(' deny only ');
		await hides(' ready ');
		await turnToEnd();
		await clock.advance(2000);
		await shows(' ready ');
		await hides(' deny only ');
	});
});
