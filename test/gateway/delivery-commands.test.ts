import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** An address of the user's that answers with these statuses in turn, then with 204. */
async function openReceiver(...statuses: number[]) {
	let requests = 0;
	const server = createServer((request, response) => {
		requests++;
		request.resume();
		response.writeHead(statuses.shift() ?? 204).end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	return {url: `http://127.0.0.1:${Object(server.address()).port}/hook`, requests: () => requests};
}

/** A gateway without a model, whose route delivers there, and in which a person has given these answers. */
async function openAnswered(receiver: {readonly url: string}, answers: readonly string[]) {
	const home = temporaryDirectory();
	const yaml = `
platforms:
  url: {ci: {url: '${receiver.url}'}}
  webhook:
    enabled: true
    port: 0
    secret: INSECURE_NO_AUTH
    routes: {issues: {prompt: 'Look', deliver: url}}
`;
	const {gateway, eventWhere} = await runGateway(yaml, home);
	const answered = new Set<string>();
	for (const text of answers) {
		await fetch(`${gateway.webhookUrl()}/webhooks/issues`, {method: 'POST', body: '{}'});
		const item = await eventWhere(
			event => event.type === 'run.state' && event.state === 'inbox' && !answered.has(event.runId),
		);
		const runId = item.type === 'run.state' ? item.runId : '';
		answered.add(runId);
		await runSluice({home}, 'runs', 'answer', runId, text);
	}

	const list = async (...words: string[]) =>
		(await runSluiceJson({home}, 'deliveries', 'list', ...words)) as ReadonlyArray<Record<string, unknown>>;
	return {home, list};
}

test('messages that did not arrive are listed, sent at once and given up by commands', async () => {
	const receiver = await openReceiver(503, 503);
	const {home, list} = await openAnswered(receiver, ['one', 'two']);
	const [two, one] = await list('--status', 'retrying');
	expect([one, two]).toMatchObject([
		{target: 'url', state: 'retrying', attempts: 1, route: 'issues', parts: null, detail: 'status 503'},
		{target: 'url', state: 'retrying', next_at: expect.any(Number)},
	]);
	expect((await runSluice({home}, 'deliveries')).stdout).toMatch(/NEXT ATTEMPT[\s\S]*retrying/u);

	const id = (row: typeof one) => String(row?.['id']);
	expect(await runSluiceJson({home}, 'deliveries', 'retry', id(one).slice(-8))).toEqual({
		id: id(one),
		state: 'sent',
		next_at: null,
		reason: null,
	});
	expect(await runSluiceJson({home}, 'deliveries', 'cancel', id(two))).toMatchObject({
		state: 'failed',
		next_at: null,
		reason: 'cancelled by a person before it arrived',
	});
	expect((await list()).map(({state}) => state)).toEqual(['failed', 'sent']);
	expect(receiver.requests()).toBe(3);
	const again = await runSluice({home}, 'deliveries', 'cancel', id(one));
	expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('No message with this id')]);
	expect((await runSluice({home}, 'deliveries', 'retry', 'nope1234')).code).toBe(1);
	expect((await runSluice({home}, 'deliveries', 'list', '--status', 'lost')).code).toBe(2);
});

test('a message that may have arrived is sent again with --yes alone', async () => {
	const receiver = await openReceiver(502);
	const {home, list} = await openAnswered(receiver, ['perhaps']);
	const [{id} = {id: ''}] = await list('--status', 'outcome_uncertain');
	const refused = await runSluice({home}, 'deliveries', 'retry', String(id));
	expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('may have arrived')]);
	expect(receiver.requests()).toBe(1);
	expect((await runSluice({home}, 'deliveries', 'retry', String(id), '--yes')).stdout).toContain('sent');
	expect(receiver.requests()).toBe(2);
});

test('a message that failed because of settings is sent once they are other ones, also if they changed while no gateway ran', async () => {
	const receiver = await openReceiver(401);
	const home = temporaryDirectory();
	const yaml = (secret: string) => `
platforms:
  url: {ci: {url: '${receiver.url}', secret: ${secret}}}
  webhook: {enabled: true, port: 0, secret: INSECURE_NO_AUTH, routes: {issues: {prompt: 'Look', deliver: url}}}
`;
	const first = await runGateway(yaml('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'), home);
	await fetch(`${first.gateway.webhookUrl()}/webhooks/issues`, {method: 'POST', body: '{}'});
	const item = await first.eventWhere(event => event.type === 'run.state' && event.state === 'inbox');
	await runSluice({home}, 'runs', 'answer', item.type === 'run.state' ? item.runId : '', 'one');
	await expect.poll(() => receiver.requests()).toBe(1);
	const known = () => existsSync(join(home, 'cache', 'platform-settings.json'));
	await expect.poll(known).toBe(true);
	await first.gateway.stop('enough');

	const same = await runGateway(yaml('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'), home);
	expect(await runSluiceJson({home}, 'deliveries', 'list')).toMatchObject([{state: 'failed'}]);
	await same.gateway.stop('enough');
	expect(receiver.requests()).toBe(1);

	await runGateway(yaml('whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'), home);
	await expect.poll(() => receiver.requests()).toBe(2);
	await expect.poll(() => runSluiceJson({home}, 'deliveries', 'list')).toMatchObject([{state: 'sent'}]);
});

test('Tab completes the ids of messages that did not arrive, with their state, target and route', async () => {
	const receiver = await openReceiver(503, 204, 502);
	const {home, list} = await openAnswered(receiver, ['one', 'two', 'three']);
	const ids = (await list()).map(({id, state}) => [String(id).slice(-8), String(state)] as const);
	const unsent = ids.filter(([, state]) => state !== 'sent').map(([id, state]) => `${id}\t${state} url issues`);
	expect(unsent).toHaveLength(2);
	for (const action of ['retry', 'cancel']) {
		const {stdout} = await runSluice({home}, 'completion', 'words', '--', 'deliveries', action, '');
		expect(stdout.split('\n').filter(Boolean).toSorted()).toEqual(unsent.toSorted());
	}
});
