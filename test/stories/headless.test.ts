import {describe, expect, test} from 'vitest';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';
import {garden} from './garden.ts';
import {health, listeningAt, post, signatures, webhookPlatform} from './sender.ts';

describe('sluice gateway run --log json', () => {
	test('accepts all five signature schemes, and prints one object per event', async () => {
		const home = stateDirectory({mcp_servers: {garden}, ...webhookPlatform({issues: {}})});
		const gateway = startSluice({home}, 'gateway', 'run', '--log', 'json');
		const base = await listeningAt(gateway);
		expect(await health(base)).toEqual({status: 'ok', platform: 'webhook'});

		for (const [scheme, sign] of Object.entries(signatures)) {
			const answer = await post(base, {id: scheme, payload: {event_type: 'ping'}, sign});
			const body = {status: 'accepted', route: 'issues', event: 'ping', delivery_id: scheme};
			expect(answer, scheme).toEqual({status: 202, body});
		}

		const forged = await post(base, {id: 'forged', payload: {}, sign: () => ({'x-gitlab-token': 'a guess'})});
		expect(forged).toEqual({status: 401, body: {error: 'Invalid signature'}});
		const malformed = await post(base, {id: 'malformed', text: '{"half":'});
		expect(malformed).toEqual({status: 400, body: {error: 'Malformed body'}});

		await gateway.waitForLine(/"server.state".*"garden".*"connected"/);
		gateway.signal('SIGTERM');
		const {code, stdout, stderr} = await gateway.end;
		expect([code, stderr]).toEqual([0, '']);

		const events = stdout
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line) as {seq: number; type: string});
		const first = events.map(event => Object.keys(event).slice(0, 4).join());
		expect(first).toEqual(events.map(() => 'seq,time,type,profile'));
		expect(events.map(event => event.seq)).toEqual(events.map((_, index) => index + 1));
		expect(events.filter(({type}) => type === 'webhook.settled')).toMatchObject([
			...Object.keys(signatures).map(delivery_id => ({delivery_id, status: 202, outcome: 'accepted'})),
			{status: 401, outcome: 'rejected', reason: 'Invalid signature'},
			{status: 400, outcome: 'rejected', reason: 'Malformed body'},
		]);
		expect(events.at(-1)).toMatchObject({type: 'gateway.stopped', reason: 'SIGTERM'});
	});
});

describe('sluice gateway run', () => {
	test.each(['SIGINT', 'SIGTERM'] as const)('drains at %s and ends with 0', async signal => {
		const home = stateDirectory({mcp_servers: {garden}});
		const gateway = startSluice({home}, 'gateway', 'run');
		await gateway.waitForLine('garden connected, 3 tools');
		gateway.signal(signal);
		const {code, stdout} = await gateway.end;
		expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringContaining(`stopped: ${signal}`)]);
	});

	test('does not wait for a stubborn server after a second signal', async () => {
		const stubborn = {command: process.execPath, args: fixtureArguments('mcp-misbehaving.ts', 'stubborn')};
		const gateway = startSluice({home: stateDirectory({mcp_servers: {stubborn}})}, 'gateway', 'run');
		await gateway.waitForLine('stubborn connected');
		gateway.signal('SIGTERM');
		await gateway.waitForLine('stopping: SIGTERM');
		// Within half a second a signal is the echo of the one before, not another request.
		const repeat = setInterval(() => gateway.signal('SIGINT'), 600);
		const {code, stdout} = await gateway.end;
		clearInterval(repeat);
		expect([code, stdout]).toEqual([130, expect.not.stringContaining('stopped:')]);
	});
});
