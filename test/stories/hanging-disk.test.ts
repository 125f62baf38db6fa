import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {aroundEach, describe, expect, test, type TestContext, vi} from 'vitest';
import {buildFlushLibrary} from '../helpers/flush-library.ts';
import {inOwnContext, onTestFinished, openForAll} from '../helpers/on-test-finished.ts';
import {type Ending, openDashboard, readState, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {type Terminal} from '../helpers/terminal.ts';
import {listeningAt, post, webhookPlatform} from './sender.ts';

aroundEach(inOwnContext);

const preload = openForAll(() => buildFlushLibrary(temporaryDirectory()));

/** A stop whose journal is silent is given up after twelve seconds; a machine under load takes longer for the rest. */
const patienceMilliseconds = 40_000;
/** Two signals that follow each other faster count as one. */
const echoMilliseconds = 600;

/** A state directory on a disk whose flushes can be made to hang or to be slow. */
function prepareDisk(context: TestContext, gateway: object = {}) {
	const library = preload();
	if (typeof library === 'string') {
		console.warn(`NOT TESTED: a stop on a disk that hangs, because the library for it cannot be built: ${library}`);
		context.skip();
	}

	const home = stateDirectory({
		...webhookPlatform({issues: {}}),
		gateway: {endpoint: {port: 0}, ...gateway},
	});
	const [hang, delay] = [join(temporaryDirectory(), 'hang'), join(temporaryDirectory(), 'delay')];
	const env = {...(typeof library === 'object' && library), SLUICE_FLUSH_HANG: hang, SLUICE_FLUSH_DELAY: delay};
	// A process whose threads hang is gone only once they return.
	onTestFinished(() => rmSync(hang, {force: true}));
	return {home, env, hang: () => writeFileSync(hang, ''), slow: () => writeFileSync(delay, '')};
}

/** A gateway that has accepted an event, there. */
async function startOnDisk(context: TestContext, settings: object = {}) {
	const {home, env, hang, slow} = prepareDisk(context, settings);
	const running = startSluice({home, env}, 'gateway', 'run', '--log', 'json');
	const base = await listeningAt(running);
	const send = (id: string) => post(base, {id, payload: {}});
	expect((await send('before')).status).toBe(202);
	return {
		...running,
		send,
		hang,
		slow,
		signalAgain: async (signal: NodeJS.Signals) => {
			await running.waitForLine('"text":"stopping: ');
			await new Promise(resolve => void setTimeout(resolve, echoMilliseconds));
			running.signal(signal);
		},
		/** Its end, or its output until the wait is over. */
		ended: () =>
			Promise.race([
				running.end,
				new Promise<'still running'>(resolve => void setTimeout(resolve, patienceMilliseconds, 'still running')),
			]),
	};
}

const codeOf = (end: Ending | 'still running') => (end === 'still running' ? end : end.code);
const killed = 128 + 9;

describe.concurrent('a stop', () => {
	test('on a disk that hangs says that the journal does not answer, and ends the process', async context => {
		const gateway = await startOnDisk(context);
		gateway.hang();
		void gateway.send('lost').catch(() => undefined);
		gateway.signal('SIGTERM');
		const end = await gateway.ended();
		expect(codeOf(end)).toBe(killed);
		expect(end).toMatchObject({
			stderr: expect.stringMatching(/^sluice: The journal did not answer for 10 seconds while the gateway stopped/u),
		});
	});

	test('of an idle gateway ends there too, where closing the journal hangs', async context => {
		const gateway = await startOnDisk(context);
		gateway.hang();
		gateway.signal('SIGTERM');
		expect(codeOf(await gateway.ended())).toBe(killed);
	});

	test.for([
		{moment: 'while it starts', reach: (dashboard: Terminal) => dashboard.waitFor(/:\d+ (?:up|listening)/)},
		{
			moment: 'once it has started',
			reach: (_: Terminal, home: string) =>
				vi.waitFor(() => expect(readState(home, 'logs/sluice.log')).toContain('"gateway.started"'), {timeout: 25_000}),
		},
	])('of a dashboard $moment gives the terminal back, and ends the process', async ({reach}, context) => {
		const {home, env, hang} = prepareDisk(context);
		const dashboard = openDashboard({home, env});
		await reach(dashboard, home);
		hang();
		dashboard.press('q');
		expect(await dashboard.exit).toBe(killed);
		expect(dashboard.isAlternate()).toBe(false);
		expect(dashboard.screen().join(' ')).toContain('A disk does not answer a thread of this process');
	});

	test('that a second signal forces ends at once there', async context => {
		const gateway = await startOnDisk(context);
		gateway.hang();
		void gateway.send('lost').catch(() => undefined);
		gateway.signal('SIGTERM');
		const begun = performance.now();
		await gateway.signalAgain('SIGINT');
		expect(codeOf(await gateway.ended())).toBe(killed);
		expect(performance.now() - begun).toBeLessThan(9000);
	});

	test('that a third signal forces during the drain ends at once there', async context => {
		const gateway = await startOnDisk(context, {drain_delay: 600});
		gateway.hang();
		void gateway.send('lost').catch(() => undefined);
		gateway.signal('SIGTERM');
		await gateway.waitForLine('"type":"gateway.draining"');
		await new Promise(resolve => void setTimeout(resolve, echoMilliseconds));
		gateway.signal('SIGTERM');
		const begun = performance.now();
		await gateway.signalAgain('SIGINT');
		expect(codeOf(await gateway.ended())).toBe(killed);
		expect(performance.now() - begun).toBeLessThan(9000);
	});

	test('on a slow disk, which answers, is clean', async context => {
		const gateway = await startOnDisk(context);
		gateway.slow();
		const sent = Promise.allSettled(['a', 'b', 'c'].map(gateway.send));
		gateway.signal('SIGTERM');
		const end = await gateway.ended();
		expect(end).toMatchObject({code: 0, stderr: ''});
		await sent;
	});
}, 60_000);
