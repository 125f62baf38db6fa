import {describe, expect, test} from 'vitest';
import {type GatewayEvent} from '../../source/state/event.ts';
import {type Clock} from '../../source/util/clock.ts';
import {connectTo} from '../control/control-fixture.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {newPostgresPlace} from '../helpers/journal-engines.ts';
import {serve} from '../helpers/loopback.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {answerJson} from '../mcp/fixture-servers.ts';

const signal = neverAborted();

/**
Two gateways on a journal of their own, which call the tools of one server; and how often that was asked to call one. `mended`: the configuration of
the second one could not be read at its start.
*/
async function openTwo({
	approvals = {unattended: 'hold'},
	second = 'started',
	clock,
}: {
	readonly approvals?: object;
	readonly second?: 'started' | 'mended';
	readonly clock?: Clock;
} = {}) {
	const {database} = await newPostgresPlace();
	let calls = 0;
	const {origin} = await serve((request, response) => {
		let body = '';
		request.on('data', chunk => (body += String(chunk)));
		request.on('end', () => (calls += body.includes('"tools/call"') ? 1 : 0));
		return void answerJson(request, response);
	});
	const open = async (node: string, how: typeof second) => {
		const config = JSON.stringify({
			gateway: {endpoint: {port: 0}},
			journal: {url: database.url, schema: database.schema, node, pool: 2, lease: 3},
			approvals,
			mcp_servers: {garden: {url: origin, trust: 'untrusted'}},
		});
		const running = await runGateway(how === 'started' ? config : `{${config}`, temporaryDirectory(), clock && {clock});
		if (how === 'mended') {
			running.writeConfig(config);
			await running.gateway.reload();
		}

		await running.eventWhere(event => event.type === 'server.state' && event.state === 'connected');
		const client = await connectTo(running.paths.controlSocket);
		const call = async () =>
			(await connectTo(running.paths.controlSocket)).call(
				'mcp.call',
				{name: 'mcp__garden__echo', arguments: {text: 'hello'}, approve: false},
				{signal},
			);
		return {...running, client, call};
	};

	const one = await open('web-1', 'started');
	const two = await open('web-2', second);
	return {
		one,
		two,
		calls: () => calls,
		sql: (text: string) => administer(database.url, `SET search_path = ${database.schema}`, text),
	};
}

const isAsked = (event: GatewayEvent) => event.type === 'approval.requested';

describe.skipIf(!hasPostgres)('two gateways on one journal', () => {
	test('a call of one is listed with its node and allowed by a command at the other, and made once', async () => {
		const {one, two, calls} = await openTwo();
		const called = one.call();
		await two.eventWhere(isAsked);
		const [request] = await two.client.call('approvals.list', {}, {signal});
		expect(request).toMatchObject({node: 'web-1', server: 'garden', tool: 'echo', arguments: {text: 'hello'}});
		const {id = '', arguments_hash: hash = ''} = request ?? {};
		const allow = {id, scope: 'once', arguments_hash: hash} as const;
		expect(await two.client.call('approvals.allow', allow, {signal})).toEqual({answer: 'resolved', end: null});
		expect(await called).toHaveProperty('result');
		expect(calls()).toBe(1);
		expect(await one.client.call('approvals.allow', allow, {signal})).toMatchObject({
			answer: 'already-settled',
			end: {outcome: 'approved', by: 'cli on web-2'},
		});
		// Its end is written without making the caller wait.
		await expect
			.poll(async () => (await two.client.call('calls.list', {limit: 1}, {signal}))[0])
			.toMatchObject({node: 'web-1', tool: 'echo', outcome: 'ok'});
	});

	test('a gateway whose configuration was mended after its start is there for the other, and shows what that one asks', async () => {
		const {one, two} = await openTwo({second: 'mended'});
		// The last of them is still asked when the test ends.
		one.call().catch(() => undefined);
		expect(await two.eventWhere(isAsked)).toMatchObject({node: 'web-1'});
		const nodes = async () => (await one.client.call('status', {}, {signal})).nodes;
		await expect.poll(nodes, {timeout: 5000}).toMatchObject([{name: 'web-1'}, {name: 'web-2', version: '0.0.0'}]);
	});

	test('what one asks and the other answers is there before anybody would look', async () => {
		const {one, two} = await openTwo({clock: createFakeClock()});
		const called = one.call();
		const {id} = (await two.eventWhere(isAsked)) as GatewayEvent & {type: 'approval.requested'};
		await two.client.call('approvals.deny', {id}, {signal});
		expect(await called).toMatchObject({error: {code: 'denied'}});
	});

	test('a call of one is denied by a key at the other, whose console is enough for it to be asked', async () => {
		const {one, two, calls} = await openTwo({approvals: {unattended: 'deny'}});
		expect(await one.call()).toMatchObject({error: {code: 'no_channel'}});
		two.gateway.openDecidingConsole();
		await expect
			.poll(
				async () => {
					// The last of them is still asked when the test ends.
					one.call().catch(() => undefined);
					return two.events.some(isAsked);
				},
				{interval: 500},
			)
			.toBe(true);
		const asked = two.events.find(isAsked) as GatewayEvent & {readonly type: 'approval.requested'};
		const {id} = asked;
		two.gateway.send({method: 'approvals.deny', params: {id, message: 'not today'}});
		expect(await one.eventWhere(event => event.type === 'approval.settled' && event.id === id)).toMatchObject({
			outcome: 'denied',
			by: 'console:2 on web-2',
			message: 'not today',
		});
		expect(calls()).toBe(0);
	});

	test('what was always allowed at one is allowed at the other, and nothing is sent once that was revoked at any', async () => {
		const {one, two, calls} = await openTwo();
		const first = one.call();
		const {id, argumentsHash: hash} = (await two.eventWhere(isAsked)) as GatewayEvent & {type: 'approval.requested'};
		await two.client.call('approvals.allow', {id, scope: 'always', arguments_hash: hash}, {signal});
		expect(await first).toHaveProperty('result');
		// A row of one counts at the other within a second, not at once.
		const rules = () => two.client.call('rules.list', {}, {signal});
		await expect.poll(rules).toHaveLength(1);
		expect(await two.call()).toHaveProperty('result');
		const [rule] = await rules();
		expect(await two.client.call('rules.revoke', {id: rule?.id ?? ''}, {signal})).toEqual({answer: 'revoked'});
		// At once, before the first gateway looks again.
		one.call().catch(() => undefined);
		await expect.poll(() => one.events.filter(isAsked)).toHaveLength(2);
		expect(calls()).toBe(2);
	});

	test('a call that was allowed is not made when its answer is not in the journal, and the command says so', async () => {
		const {one, two, calls, sql} = await openTwo();
		await sql(`
			CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM requests WHERE id = NEW.id; RETURN NULL; END';
			CREATE TRIGGER forgetful AFTER UPDATE ON requests FOR EACH ROW WHEN (NEW.state = 'settled') EXECUTE FUNCTION forget()`);
		const called = one.call();
		await two.eventWhere(isAsked);
		const [request] = await one.client.call('approvals.list', {}, {signal});
		const {id = '', arguments_hash: hash = ''} = request ?? {};
		expect(await one.client.call('approvals.allow', {id, scope: 'once', arguments_hash: hash}, {signal})).toMatchObject(
			{
				answer: 'resolved',
				end: {outcome: 'cancelled', message: expect.stringContaining('its approval is not in the journal')},
			},
		);
		expect(await called).toMatchObject({error: {code: 'cancelled'}});
		expect(calls()).toBe(0);
	});

	test('a command that allows a held call of the other gateway learns that it was cancelled meanwhile', async () => {
		const {one, two, calls} = await openTwo();
		const caller = await connectTo(one.paths.controlSocket);
		const call = {name: 'mcp__garden__echo', arguments: {text: 'hello'}, approve: false} as const;
		caller.call('mcp.call', call, {signal}).catch(() => undefined);
		await two.eventWhere(isAsked);
		await one.client.call('hold', {}, {signal});
		const [request] = await two.client.call('approvals.list', {}, {signal});
		const {id = '', arguments_hash: hash = ''} = request ?? {};
		const allowed = two.client.call('approvals.allow', {id, scope: 'once', arguments_hash: hash}, {signal});
		await one.eventWhere(event => event.type === 'approval.settled' && event.id === id);
		caller.close();
		expect(await allowed).toMatchObject({answer: 'resolved', end: {outcome: 'cancelled'}});
		expect(calls()).toBe(0);
	});
});
