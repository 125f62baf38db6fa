import {writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {runHold, runUnhold} from '../../../source/commands/gateway/hold.ts';
import {runStatus} from '../../../source/commands/gateway/status.ts';
import {openOwnClient} from '../../../source/gateway/own-client.ts';
import {type HeldState} from '../../../source/state/status-event.ts';
import {createTestRuntime} from '../../helpers/gateway-parts.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openContext} from '../command-fixture.ts';

const config = `
platforms: {webhook: {enabled: true, port: 0, routes: {alerts: {secret: INSECURE_NO_AUTH, prompt: look}}}}
gateway: {endpoint: {enabled: false}}
model: {provider: none}
`;

/** The commands on a state directory, as a person types them. */
function commandsOn(home: string) {
	const {paths} = createTestRuntime(home);
	const run = async (
		command: (...given: Parameters<typeof runHold>) => Promise<number>,
		options: Pick<NonNullable<Parameters<typeof openContext>[0]>, 'arguments' | 'flags' | 'answer'>,
	) => {
		const {context, stdout, stderr} = openContext({...options, controlSocket: paths.controlSocket});
		const code = await command(context, async () =>
			openOwnClient(createTestRuntime(home), {signal: neverAborted(), report: () => undefined}),
		);
		return {code, stdout: stdout(), stderr: stderr()};
	};

	return {
		hold: (...words: readonly string[]) => run(runHold, {arguments: words}),
		unhold: (options: {readonly hash?: string; readonly answer?: 'yes' | 'no'}) => {
			const {hash, answer} = options;
			return run(runUnhold, {...(answer && {answer}), flags: {...(hash !== undefined && {hash})}});
		},
		held: async (): Promise<HeldState | null> => {
			const {stdout} = await run(runStatus, {flags: {json: true}});
			return (JSON.parse(stdout) as {held: HeldState | null}).held;
		},
		status: async () => (await run(runStatus, {})).stdout,
	};
}

test('webhooks are kept while everything is held, over a restart, and their runs begin after the release', async () => {
	const home = temporaryDirectory();
	const {hold, unhold, held, status} = commandsOn(home);
	const first = await runGateway(config, home);
	expect(await held()).toBeNull();
	expect(await hold('it', 'deletes things')).toMatchObject({
		code: 0,
		stderr: expect.stringContaining('it deletes things'),
	});
	const before = await held();
	expect(before).toEqual({since: expect.any(Number), by: 'cli', reason: 'it deletes things', hash: expect.any(String)});
	expect((await status()).split('\n')).toContain('         it deletes things');
	expect(await hold('again')).toMatchObject({code: 0, stderr: expect.stringContaining('already held')});
	const answer = await fetch(`${first.gateway.webhookUrl() ?? ''}/webhooks/alerts`, {method: 'POST', body: '{"a": 1}'});
	expect(answer.status).toBe(202);
	await first.gateway.stop('restart');

	const second = await runGateway(config, home);
	expect(await held()).toEqual(before);
	await second.eventWhere(event => event.type === 'run.state' && event.state === 'queued');
	expect(second.events.filter(event => event.type === 'run.state').map(({state}) => state)).toEqual(['queued']);
	const shown = await unhold({answer: 'no'});
	expect(shown).toMatchObject({code: 1, stderr: expect.stringContaining('0 calls, 1 queued run.')});
	expect(await unhold({hash: 'f00'})).toMatchObject({code: 1, stderr: expect.stringContaining('nothing was released')});
	expect(await held()).toEqual(before);
	expect(await unhold({hash: before?.hash ?? ''})).toMatchObject({code: 0});
	// Without a model a run that begins goes into the inbox.
	await second.eventWhere(event => event.type === 'run.state' && event.state === 'inbox');
	expect(await held()).toBeNull();
	expect(await unhold({answer: 'yes'})).toMatchObject({code: 0, stderr: 'Nothing is held.\n'});
});

test('a window and a command see the same hold, and the first one stands', async () => {
	const home = temporaryDirectory();
	const {hold, unhold, held} = commandsOn(home);
	const {gateway, eventWhere, events} = await runGateway(`${config}approvals: {cli: deny}\n`, home);
	gateway.send({method: 'hold', params: {reason: 'from the window'}});
	await eventWhere(event => event.type === 'hold.state');
	expect(await hold('mine')).toMatchObject({code: 0, stderr: expect.stringContaining('by console:1: from the window')});
	const {hash = ''} = (await held()) ?? {};
	// The configuration keeps commands from allowing anything; a window may.
	expect(await unhold({hash})).toMatchObject({code: 1, stderr: expect.stringContaining('approvals.cli')});
	gateway.send({method: 'unhold', params: {hash: 'of another'}});
	await eventWhere(event => event.type === 'log' && event.text.includes('Nothing was released'));
	expect(await held()).toMatchObject({hash});
	gateway.send({method: 'unhold', params: {hash}});
	await eventWhere(event => event.type === 'hold.state' && event.releasedBy === 'console:1');
	expect(await held()).toBeNull();
	expect(events.filter(event => event.type === 'hold.state').map(({held}) => held?.by)).toEqual([
		'console:1',
		undefined,
	]);
});

test('without a gateway the next start is held, and a file that cannot be read holds it too', async () => {
	const home = temporaryDirectory();
	const {hold, unhold, held} = commandsOn(home);
	expect(await hold('later')).toMatchObject({code: 0, stderr: expect.stringContaining('the next start is held')});
	const {gateway} = await runGateway(config, home);
	expect(await held()).toMatchObject({by: 'cli', reason: 'later'});
	await gateway.stop('broken file');
	writeFileSync(`${home}/hold.json`, '{"held": ');
	await runGateway(config, home);
	const broken = await held();
	expect(broken).toMatchObject({by: 'gateway', reason: expect.stringContaining('hold.json is not a JSON object')});
	expect(await unhold({hash: broken?.hash ?? ''})).toMatchObject({code: 1, stderr: expect.stringContaining('mv ')});
	expect(await held()).toEqual(broken);
});
