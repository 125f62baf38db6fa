import {type EventDetailJson, type EventRowJson} from '../../../source/state/json/event.ts';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {runEvents} from '../../../source/commands/events/events.ts';
import {type HandlerCall} from '../../../source/control/methods.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext, ownEvents, ownRoutes} from '../command-fixture.ts';

const row: EventRowJson = {
	id: 'e1',
	time: Date.UTC(2026, 4, 4, 12),
	route: 'issues',
	event: 'opened',
	delivery_id: 'd1',
	status: 401,
	outcome: 'rejected',
	reason: 'Invalid signature',
	ms: 2,
	run: null,
	deliveries: [],
};
const detail: EventDetailJson = {
	...row,
	profile: 'default',
	headers: {'x-note': '\u001B[2J'},
	body: '{"a":\n1}',
	signature: 'X-Hub-Signature-256',
	filter: null,
	script_output: 'out\u0007put',
	prompt: 'Look at 1',
	deliver: 'log',
	files: [{number: 1, filename: '../\u001B[2J', content_type: 'image/png', bytes: 12_345}],
	run: {id: 'r1', state: 'inbox'},
	runs: [
		{
			id: 'r1',
			state: 'inbox',
			reason: 'no model configured',
			model: 'openai gpt',
			usage: {input_tokens: 12, output_tokens: 3},
			answer: 'It is\u001B[2J done',
			calls: [
				{
					id: 'c1',
					time: 1,
					server: 'files',
					tool: 'write',
					arguments: {path: '/a'},
					outcome: 'failed',
					code: 'call_timeout',
					ms: 38,
					rule: null,
					answer: 'too\nslow',
				},
			],
			decisions: [
				{
					id: 'a1',
					call_id: 'c1',
					time: 1,
					requested_at: 0,
					server: 'files',
					tool: 'write',
					outcome: 'approved',
					scope: 'once',
					by: 'console:1',
					message: null,
				},
			],
		},
	],
	deliveries: [{target: 'telegram', outcome: 'failed', state: 'failed', detail: 'blocked', time: 1}],
	trace: {
		lines: [
			{
				time: row.time,
				kind: 'request',
				state: 'received',
				subject: 'POST /webhooks/issues',
				facts: ['98 B'],
				command: null,
			},
			{time: row.time + 2, kind: 'event', state: 'accepted', subject: '', facts: ['202', 'id d1'], command: null},
			{
				time: row.time + 5000,
				kind: 'approval',
				state: 'approved',
				subject: 'files/write',
				facts: ['\u001B[2J'],
				command: null,
			},
		],
		shares: [
			{use: 'model', ms: 500},
			{use: 'person', ms: 4500},
		],
	},
};

describe('sluice events', () => {
	test('lists what the running gateway stored', async () => {
		const {path} = await startControl({'events.list': () => [row]});
		const {context, stdout} = openContext({controlSocket: path, arguments: ['list'], flags: {json: true}});
		expect([await runEvents(context, ownEvents({}), ownRoutes([])), JSON.parse(stdout())]).toEqual([0, [row]]);
	});

	test('passes a status and times on', async () => {
		const asked: unknown[] = [];
		const {path} = await startControl({
			'events.list'(query) {
				asked.push(query);
				return [];
			},
		});
		const flags = {status: 'failed', since: '2026-05-04', until: '2026-05-04 12:00'};
		const {context, stderr} = openContext({controlSocket: path, flags});
		expect(await runEvents(context, ownEvents({}), ownRoutes([]))).toBe(0);
		const since = new Date(2026, 4, 4).getTime();
		expect(asked).toEqual([{limit: 50, status: 'failed', since, until: since + 12 * 3_600_000}]);
		expect(stderr()).toContain('No stored event matches.');
	});

	test('passes route and limit on', async () => {
		const {path} = await startControl({'events.list': ({limit, route}) => [{...row, id: `${route} ${limit}`}]});
		const {context, stdout} = openContext({controlSocket: path, flags: {json: true, limit: 7, route: 'pushes'}});
		await runEvents(context, ownEvents({}), ownRoutes([]));
		expect(JSON.parse(stdout())).toMatchObject([{id: 'pushes 7'}]);
	});

	test('reads the journal itself when no gateway runs', async () => {
		const {context, stdout} = openContext();
		await runEvents(context, ownEvents({'events.list': async () => [row]}), ownRoutes([]));
		expect(stdout()).toMatch(
			/^TIME .*\n2026-05-0\d \d\d:\d\d:00 {2}e1 {2}401 {5}issues {2}"opened" {2}rejected {2}Invalid/,
		);
	});

	test('says what became of run and deliveries', async () => {
		const led = {...row, run: {id: 'r1', state: 'finished'}, deliveries: [{target: 'slack', outcome: 'failed'}]};
		const {context, stdout} = openContext();
		await runEvents(context, ownEvents({'events.list': async () => [led, row]}), ownRoutes([]));
		const [titles = '', first = '', second = ''] = stdout().split('\n');
		expect(titles).toMatch(/REASON {2,}RESULT$/);
		expect(first).toMatch(/Invalid signature {2}run finished, slack failed$/);
		expect(second).toMatch(/Invalid signature$/);
	});

	describe('of a route that no event came for', () => {
		const listRoute = async (route: string, json = false) => {
			const {context, stdout, stderr} = openContext({flags: {route, json}});
			const code = await runEvents(context, ownEvents({}), ownRoutes(['github-issues', 'alerts']));
			return {code, stdout: stdout(), stderr: stderr()};
		};

		test.each([false, true])('fails and says that there is no such route (json: %s)', async json => {
			const {code, stdout, stderr} = await listRoute('nope', json);
			expect([code, stdout]).toEqual([1, '']);
			expect(stderr).toMatch(
				/^sluice: There is no route named "nope", and no events of such a route\n.*sluice webhook list/,
			);
		});

		test('names the route that was probably meant', async () => {
			expect((await listRoute('github_isues')).stderr).toContain('did you mean "github-issues"?');
		});

		test('is no error when the route is there', async () => {
			expect(await listRoute('alerts')).toMatchObject({code: 0, stderr: 'No events of alerts are stored.\n'});
			expect(await listRoute('alerts', true)).toMatchObject({code: 0, stdout: '[]\n'});
		});
	});

	test('lists the events of a route that is gone', async () => {
		const {context, stdout} = openContext({flags: {route: 'issues'}});
		expect(await runEvents(context, ownEvents({'events.list': async () => [row]}), ownRoutes([]))).toBe(0);
		expect(stdout()).toContain('issues');
	});

	test('shows what became of the run and its calls', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e1']});
		await runEvents(context, ownEvents({'events.show': async () => detail}), ownRoutes([]));
		const lines = stdout().split('\n');
		expect(lines).toContain('  model: openai gpt, 12 tokens in, 3 out');
		expect(lines).toContain('file: 1 "../␛[2J" image/png 12,345 B');
		expect(lines).toContain('  call: files/write failed call_timeout 38 ms {"path":"/a"} → too slow');
		expect(lines.find(line => line.startsWith('  decision:'))).toMatch(/files\/write approved \(once\) by console:1/);
		expect(lines.find(line => line.startsWith('delivery:'))).toMatch(/^delivery: telegram failed .*: blocked$/);
		expect(stdout()).toMatch(/\nanswer of run r1:\nIt is␛\[2J done\n$/);
	});

	test('shows its trace, with times and what they were spent on', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e1']});
		await runEvents(context, ownEvents({'events.show': async () => detail}), ownRoutes([]));
		expect(stdout()).toMatch(
			/\ntrace:\n {2}\d\d:00:00\.000 {2}request {3}received {3}POST \/webhooks\/issues {2}98 B\n/u,
		);
		const lines = stdout().split('\n');
		expect(lines).toContain('         +2 ms  event     accepted   202 · id d1');
		expect(lines).toContain('        +5.0 s  approval  approved   files/write  ␛[2J');
		expect(lines).toContain('         5.0 s  waited for you 4.5 s (90 %), model 500 ms (10 %)');
	});

	test('shows one event with headers and body, made harmless', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e1']});
		expect(await runEvents(context, ownEvents({'events.show': async () => detail}), ownRoutes([]))).toBe(0);
		expect(stdout()).toMatch(
			/status: 401[\s\S]*signature: X-Hub-Signature-256\nfilter: –\ndeliver: log\nrun: r1 inbox \(no model/,
		);
		expect(stdout()).toMatch(/x-note: ␛\[2J\n\n\{"a":\n1\}\n\nscript:\nout␇put\n\nprompt:\nLook at 1\n/);
	});

	test('shows one event as JSON', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e1'], flags: {json: true}});
		await runEvents(context, ownEvents({'events.show': async () => detail}), ownRoutes([]));
		expect(JSON.parse(stdout())).toEqual(detail);
	});

	test('fails for an event that is not there', async () => {
		const {context, stdout} = openContext({arguments: ['show', 'e9']});
		expect([await runEvents(context, ownEvents({}), ownRoutes([])), stdout()]).toEqual([1, '']);
	});

	test.each(['text', 'json'] as const)(
		'leaves out rows while nobody reads them, and says in one line how many (%s)',
		async format => {
			const followed = Promise.withResolvers<HandlerCall<'events.follow'>>();
			const {path} = await startControl({
				'events.list': () => [row],
				'events.follow': (_, call) => {
					followed.resolve(call);
					return new Promise(resolve => call.signal.addEventListener('abort', () => resolve({})));
				},
			});
			const waiting = vi.spyOn(process.stdout, 'writableLength', 'get');
			onTestFinished(() => waiting.mockRestore());
			const {context, stdout, stderr, abort} = openContext({
				controlSocket: path,
				flags: {follow: true, json: format === 'json'},
			});
			const following = runEvents(context, ownEvents({}), ownRoutes([]));
			const call = await followed.promise;
			await expect.poll(stdout).toContain('e1');
			const come = (id: string) => call.note({type: 'webhook.settled', event_id: id, time: 0, route: 'issues'});
			waiting.mockReturnValue(1_048_577);
			for (let count = 0; count < 1000; count++) {
				come(`left${count}`);
			}

			await vi.waitFor(() => expect(waiting.mock.calls.length).toBeGreaterThanOrEqual(1000));
			waiting.mockReturnValue(0);
			come('read');
			await expect.poll(stdout).toContain('read');
			const gap = '… 1000 events left out: the reader is too slow\n';
			expect(stdout()).not.toContain('left0');
			expect(format === 'json' ? stderr() : stdout()).toContain(gap);
			abort();
			expect(await following).toBe(0);
		},
	);

	test.each([
		{words: ['show'], flags: {}},
		{words: ['list', 'x'], flags: {}},
		{words: ['purge'], flags: {}},
		{words: ['list'], flags: {status: 'faild'}},
		{words: ['list'], flags: {since: 'yesterday'}},
		{words: ['list'], flags: {follow: true, status: 'failed'}},
		{words: ['list'], flags: {limit: 0}},
		{words: ['list'], flags: {limit: 1.5}},
		{words: ['list'], flags: {limit: 10_001}},
		{words: ['list'], flags: {limit: Number.NaN}},
	])('$words with $flags is not understood', async ({words, flags}) => {
		const {context} = openContext({arguments: words, flags});
		expect(await runEvents(context, ownEvents({}), ownRoutes([]))).toBe(2);
	});
});
