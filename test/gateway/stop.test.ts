import {describe, expect, onTestFinished, test} from 'vitest';
import {fileDocuments} from '../../source/config/values/document-files.ts';
import {createCronStore} from '../../source/runs/cron-store.ts';
import {addJob} from '../../source/runs/manage-jobs.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {openTelegram} from '../simulators/platforms/telegram.ts';
import {openStopFixture, type StopFixture, type Script, type Started, stop} from './stop-fixture.ts';

const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};
/** A tool server that never says a word: runs wait for it before they begin. */
const silent = {command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)']};

const patience = {timeout: 25_000};
const never = () => new Promise<never>(() => {});
const runIs = (running: Pick<Started, 'events'>, prompt: string, state: string) => {
	const ids = running.events.flatMap(event =>
		event.type === 'run.state' && event.prompt === prompt ? [event.runId] : [],
	);
	const last = running.events.findLast(event => event.type === 'run.state' && ids.includes(event.runId));
	return last?.type === 'run.state' && last.state === state;
};
const untilAsked = (fixture: StopFixture, prompt: string) =>
	expect.poll(() => fixture.asked, patience).toContain(prompt);

type Moment = {
	readonly title: string;
	readonly script?: Script;
	readonly config?: object;
	/** Takes the gateway to the moment of the stop. */
	readonly reach: (gateway: Started, fixture: StopFixture) => Promise<unknown>;
	/** The requests to the model until the first gateway was down. */
	readonly asked: readonly string[];
	/** The runs by their prompts when it is down. */
	readonly left: Readonly<Record<string, string>>;
	/** The changed configuration of the second gateway. */
	readonly changes?: object;
	/** The runs when nothing waits any more in the second one. */
	readonly end: Readonly<Record<string, string>>;
	/** The ends of the jobs, by the file. Default: there are none. */
	readonly jobs?: readonly string[];
};

const noServers = {mcp_servers: {}};
const oneAtATime = {agent: {max_concurrent_runs: 1}};

const moments: readonly Moment[] = [
	{
		title: 'before a run is taken',
		script: {think: first => (first ? never() : 'Done.')},
		config: oneAtATime,
		async reach(gateway, fixture) {
			await gateway.send('r', 'think', 'wait 1', 'wait 2');
			await untilAsked(fixture, 'think');
		},
		asked: ['think'],
		left: {think: 'interrupted', 'wait 1': 'queued', 'wait 2': 'queued'},
		end: {think: 'interrupted', 'wait 1': 'finished', 'wait 2': 'finished'},
	},
	{
		title: 'when runs are taken and have not asked their model',
		config: {mcp_servers: {silent}},
		async reach(gateway) {
			await gateway.send('r', 'one', 'two', 'three');
			await expect.poll(() => runIs(gateway, 'three', 'running'), patience).toBe(true);
		},
		asked: [],
		left: {one: 'queued', two: 'queued', three: 'queued'},
		changes: noServers,
		end: {one: 'finished', two: 'finished', three: 'finished'},
	},
	{
		title: 'when a model was asked and says nothing',
		script: {think: first => (first ? never() : 'Done.')},
		async reach(gateway, fixture) {
			await gateway.send('r', 'think');
			await untilAsked(fixture, 'think');
		},
		asked: ['think'],
		left: {think: 'interrupted'},
		end: {think: 'interrupted'},
	},
	{
		title: 'when a tool was called that waits for an approval',
		script: {
			plant: first => (first ? {tool: 'mcp__garden__append', input: {file: '/dev/null', text: 'Mow'}} : 'Done.'),
		},
		config: {mcp_servers: {garden}},
		async reach(gateway) {
			await gateway.send('r', 'plant');
			await gateway.eventWhere(event => event.type === 'approval.requested');
		},
		asked: ['plant'],
		left: {plant: 'interrupted'},
		end: {plant: 'interrupted'},
	},
	{
		title: 'when a model asked the person something',
		script: {
			ask: first => (first ? {tool: 'clarify', input: {question: 'Which?'}} : 'Done.'),
		},
		async reach(gateway) {
			onTestFinished(gateway.gateway.openDecidingConsole());
			await gateway.send('r', 'ask');
			await gateway.eventWhere(event => event.type === 'question.asked');
		},
		asked: ['ask'],
		left: {ask: 'interrupted'},
		end: {ask: 'interrupted'},
	},
	{
		title: 'while a group waits for quiet',
		reach: gateway => gateway.send('burst', 'first', 'second'),
		asked: [],
		left: {'second\n\n(Superseded by this event: 1 earlier event about the same entity.)': 'queued'},
		end: {'second\n\n(Superseded by this event: 1 earlier event about the same entity.)': 'finished'},
	},
	{
		title: 'when a job was fired and waits for a free slot',
		script: {think: first => (first ? never() : 'Done.')},
		config: oneAtATime,
		async reach(gateway, fixture) {
			const job = {schedule: 'every 10m', timeZone: 'UTC', deliver: 'log', deliverExtra: {}, skills: []};
			await addJob(
				createCronStore(fileDocuments(fixture.paths), fixture.clock),
				{...job, name: 'nightly', prompt: 'Report'},
				fixture.clock.now(),
			);
			await gateway.send('r', 'think');
			await untilAsked(fixture, 'think');
			await gateway.gateway.fireJob('nightly', {kind: 'command'});
		},
		asked: ['think'],
		left: {think: 'interrupted', Report: 'queued'},
		end: {think: 'interrupted', Report: 'finished'},
		jobs: ['finished'],
	},
	{
		title: 'when a job was fired and has not asked its model',
		config: {mcp_servers: {silent}},
		async reach(gateway, fixture) {
			const job = {schedule: 'every 10m', timeZone: 'UTC', deliver: 'log', deliverExtra: {}, skills: []};
			await addJob(
				createCronStore(fileDocuments(fixture.paths), fixture.clock),
				{...job, name: 'nightly', prompt: 'Report'},
				fixture.clock.now(),
			);
			await gateway.gateway.fireJob('nightly', {kind: 'command'});
			await expect.poll(() => runIs(gateway, 'Report', 'running'), patience).toBe(true);
		},
		asked: [],
		left: {Report: 'queued'},
		changes: noServers,
		end: {Report: 'finished'},
		jobs: ['finished'],
	},
];

describe('a stop', () => {
	test.each(moments)('$title', async ({script, config, reach, asked, left, changes, end, jobs = []}) => {
		const fixture = await openStopFixture(script, config);
		const first = await fixture.start();
		await reach(first, fixture);
		await stop(first, fixture);
		expect([fixture.asked, await fixture.runs()]).toEqual([asked, left]);
		const second = await fixture.start(changes);
		await expect.poll(() => ({...left, ...second.runs()}), patience).toEqual(end);
		const jobEnds = () =>
			createCronStore(fileDocuments(fixture.paths), fixture.clock)
				.list()
				.map(({lastStatus}) => lastStatus);
		await expect.poll(jobEnds, patience).toEqual(jobs);
		// Queued runs ask once, and nothing else asks again.
		const begun = Object.keys(left)
			.filter(prompt => left[prompt] === 'queued')
			.map(prompt => prompt.split('\n')[0]);
		expect(new Set(fixture.asked)).toEqual(new Set([...asked, ...begun]));
		expect(fixture.asked).toHaveLength(asked.length + begun.length);
	});

	test.each([0, 1, 2, 4, 8, 16, 32])(
		'%d turns after events were accepted loses none, and asks for none twice',
		async turns => {
			const words = Array.from({length: 12}, (_, index) => `event ${index}`);
			// Every other answer takes longer than the stop.
			const thinking = words.filter((_, index) => index % 2 === 0);
			let isStopped = false;
			const script = Object.fromEntries(thinking.map(one => [one, () => (isStopped ? 'Done.' : never())]));
			const fixture = await openStopFixture(script);
			const first = await fixture.start();
			await Promise.all(words.map(one => first.send('r', one)));
			for (let turn = 0; turn < turns; turn++) {
				await new Promise(resolve => setImmediate(resolve));
			}

			await stop(first, fixture);
			isStopped = true;
			const asked = [...fixture.asked];
			const left = await fixture.runs();
			const interrupted = words.filter(one => left[one] === 'interrupted');
			expect(interrupted).toEqual(words.filter(one => asked.includes(one) && thinking.includes(one)));
			expect(words.filter(one => left[one] === 'queued')).toEqual(words.filter(one => !asked.includes(one)));

			const second = await fixture.start();
			const ends = Object.fromEntries(words.map(one => [one, interrupted.includes(one) ? 'interrupted' : 'finished']));
			await expect.poll(() => ({...left, ...second.runs()}), patience).toEqual(ends);
			expect(new Set(fixture.asked)).toEqual(new Set(words));
			expect(fixture.asked).toHaveLength(words.length);
		},
	);

	test('while an answer waits for the platform keeps it for the next start', async () => {
		const telegram = await openTelegram();
		onTestFinished(telegram.close);
		const fixture = await openStopFixture({}, {}, {telegram: telegram.settings});
		const first = await fixture.start();
		telegram.plan({kind: 'rate-limited', waitSeconds: 20});
		await first.send('report', 'news');
		await expect.poll(() => telegram.requests(), patience).toBe(1);
		await stop(first, fixture);
		expect([await fixture.runs(), telegram.received]).toEqual([{news: 'interrupted'}, []]);
		const second = await fixture.start();
		await expect.poll(() => second.runs(), patience).toEqual({news: 'finished'});
		expect(telegram.received.map(({text}) => text)).toEqual(['Done.']);
		expect(fixture.asked).toEqual(['news']);
		expect(second.events.filter(event => event.type === 'delivery.settled')).toMatchObject([{outcome: 'delivered'}]);
	});
});
