import {createServer} from 'node:http';
import {once} from 'node:events';
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
