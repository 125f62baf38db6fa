import {existsSync, readdirSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {loadConfig} from '../../source/config/read/load-config.ts';
import {webhookRefusals} from '../../source/config/webhooks/refusals.ts';
import {statePaths} from '../../source/config/read/state-paths.ts';
import {createExpand} from '../../source/config/secrets/variables.ts';
import {type Demo, prepareDemo} from '../../source/demo/prepare-demo.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';

const stdioServer = {command: '/opt/an "odd" path/node', args: ['--flag', '/entry: #1.js']};

async function prepare(): Promise<{demo: Demo; clock: FakeClock}> {
	const clock = createFakeClock();
	const demo = await prepareDemo({clock, stdioServer});
	onTestFinished(demo.close);
	return {demo, clock};
}

function load(demo: Demo, variables: Record<string, string> = {}) {
	const paths = statePaths({root: demo.root, profile: 'default'});
	return loadConfig({paths, environment: {variables, home: '/home/nobody', workingDirectory: '/'}});
}

describe('the state directory of the demo', () => {
	test('lies among temporary files, for its owner alone', async () => {
		const {demo} = await prepare();
		expect([demo.root.startsWith(tmpdir()), statSync(demo.root).mode & 0o777]).toEqual([true, 0o700]);
	});

	test('holds files for their owner alone', async () => {
		const {demo} = await prepare();
		expect(readdirSync(demo.root).map(name => [name, statSync(join(demo.root, name)).mode & 0o777])).toEqual([
			['.env', 0o600],
			['config.yaml', 0o600],
		]);
	});

	test('has a configuration without any fault', async () => {
		const {demo} = await prepare();
		const {config, secrets} = await load(demo);
		const expand = createExpand(secrets, {home: '/home/nobody', workingDirectory: '/'});
		expect([config.problems, webhookRefusals(config.webhook, expand)]).toEqual([[], []]);
	});

	test('has an untrusted server over stdio and a trusted one over HTTP', async () => {
		const {demo} = await prepare();
		const {config} = await load(demo);
		expect(config.servers).toMatchObject([
			{name: 'garden', trust: 'untrusted', transport: {kind: 'stdio', ...stdioServer}},
			{name: 'weather', trust: 'full', transport: {kind: 'http', url: expect.stringContaining('127.0.0.1')}},
			{name: 'library', trust: 'full', transport: {kind: 'http', oauth: {flow: 'device'}}},
		]);
	});

	test('has a route whose events go to the inbox and one with a filter', async () => {
		const {demo} = await prepare();
		const {config} = await load(demo);
		expect(config.webhook).toMatchObject({
			enabled: true,
			host: '127.0.0.1',
			port: 0,
			routes: [
				{name: 'demo-issues', events: ['issues'], action: 'agent', filters: []},
				{name: 'demo-pushes', filters: [{kind: 'equals', field: 'ref', value: 'refs/heads/main'}]},
			],
		});
	});

	test('is not disturbed by the person’s own settings', async () => {
		const {demo} = await prepare();
		const own = {WEBHOOK_ENABLED: 'false', WEBHOOK_PORT: '8644', WEBHOOK_SECRET: 'mine'};
		const {config, secrets} = await load(demo, own);
		expect([config.webhook.enabled, config.webhook.port, secrets.variables('WEBHOOK_SECRET')]).toEqual([
			true,
			0,
			expect.not.stringMatching(/^mine$/),
		]);
	});

	test('is gone at the end', async () => {
		const {demo} = await prepare();
		await demo.close();
		expect(existsSync(demo.root)).toBe(false);
	});
});

describe('the traffic of the demo', () => {
	test('starts on demand and ends without a trace', async () => {
		const {demo, clock} = await prepare();
		const called: string[] = [];
		const callTool = async (call: {name: string}) => void called.push(call.name);
		await clock.advance(10_000);
		demo.startTraffic({webhookUrl: null, callTool});
		await clock.advance(2000);
		await demo.stopTraffic();
		expect([called, clock.open()]).toEqual([['mcp__garden__add_task'], 0]);
	});
});
