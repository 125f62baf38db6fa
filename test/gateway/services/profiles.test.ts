import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readEnvironment} from '../../../source/config/read/environment.ts';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {connectGateway} from '../../../source/commands/cli/connect-gateway.ts';
import {runEvents} from '../../../source/commands/events/events.ts';
import {acquireLock} from '../../../source/control/lock.ts';
import {otherProfileNames} from '../../../source/gateway/profiles/other-profiles.ts';
import {type GatewayEvent} from '../../../source/state/event.ts';
import {systemClock} from '../../../source/util/clock.ts';
import {openContext, ownEvents, ownRoutes} from '../../commands/command-fixture.ts';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluiceJson} from '../../helpers/run-sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/** The same server name everywhere, with the secret of the profile in its environment. */
const tells = [
	'mcp_servers:',
	'  tells:',
	`    command: ${JSON.stringify(process.execPath)}`,
	`    args: ${JSON.stringify(fixtureArguments('mcp-plain.ts'))}`,
	'    env: {OWN_MARK: "mark-${OWN_WORD}"}',
	'',
].join('\n');

const multiplexed = 'gateway: {multiplex_profiles: true}\n';

function pathsOf(root: string, profile: string) {
	return statePaths({root, profile, runtimeDirectory: readEnvironment().runtimeDirectory});
}

/** A state directory with these profiles: configuration and `.env` of each. */
function stateWith(profiles: Readonly<Record<string, {readonly config: string; readonly env?: string}>>): string {
	const root = temporaryDirectory();
	for (const [name, {config, env = ''}] of Object.entries(profiles)) {
		const {directory, ...paths} = pathsOf(root, name);
		mkdirSync(directory, {recursive: true});
		writeFileSync(paths.config, config);
		writeFileSync(paths.env, env);
	}

	return root;
}

const connected = (profile: string) => (event: GatewayEvent) =>
	event.type === 'server.state' && event.profile === profile && event.state === 'connected';

describe('which profiles are served', () => {
	test.each([
		{served: {kind: 'own'}, directories: ['work'], names: []},
		{served: {kind: 'all'}, directories: ['work', 'home'], names: ['home', 'work']},
		{served: {kind: 'listed', names: ['work', 'work', 'default']}, directories: ['home'], names: ['work']},
		{served: {kind: 'listed', names: ['../etc', 'a/b', '']}, directories: [], names: []},
		{served: {kind: 'all'}, directories: ['.git', 'ok'], names: ['ok']},
	] as const)('$served beside the folders $directories: $names', ({served, directories, names}) => {
		expect(otherProfileNames(served, directories)).toEqual(names);
	});
});

describe('two profiles in one gateway', () => {
	async function startTwo() {
		const root = stateWith({
			default: {config: '', env: 'OWN_WORD=first-word-of-default\n'},
			work: {config: tells, env: 'OWN_WORD=second-word-of-work\n'},
		});
		const running = await runGateway(`${multiplexed}${tells}`, root);
		await running.eventWhere(connected('default'));
		await running.eventWhere(connected('work'));
		const clientOf = async (profile: string, typedProfile?: string) => {
			const paths = {...pathsOf(root, profile), typedProfile};
			const client = await connectGateway({paths, clock: systemClock, signal: neverAborted()});
			return client!;
		};
		const callIn = async (profile: string, tool: string) => {
			const client = await clientOf(profile);
			const call = {name: `mcp__tells__${tool}`, arguments: {}, approve: true};
			const answer = await client.call('mcp.call', call, {signal: neverAborted()});
			client.close();
			return 'result' in answer ? JSON.stringify(answer.result) : JSON.stringify(answer.error);
		};
		return {root, ...running, clientOf, callIn};
	}

	test('share nothing behind the same server name: processes, secrets, rules and catalogues are their own', async () => {
		const {root, callIn, clientOf, gateway} = await startTwo();
		expect(await callIn('default', 'pid')).not.toBe(await callIn('work', 'pid'));
		expect(await callIn('default', 'environment')).toContain('mark-first-word-of-default');
		const seenByWork = await callIn('work', 'environment');
		expect(seenByWork).toContain('mark-second-word-of-work');
		expect(seenByWork).not.toContain('first-word-of-default');

		await callIn('work', 'grow');
		const work = await clientOf('work');
		const first = await clientOf('default');
		const toolsOf = async (client: typeof work) =>
			(await client.call('mcp.tools', {}, {signal: neverAborted()})).length;
		await expect.poll(() => toolsOf(work), {timeout: 25_000}).toBe((await toolsOf(first)) + 1);

		const rows = await first.call('mcp.list', {}, {signal: neverAborted()});
		expect(rows.map(({name, profile}) => `${profile}/${name}`)).toEqual(['default/tells', 'work/tells']);
		expect((await work.call('mcp.list', {}, {signal: neverAborted()})).map(({profile}) => profile)).toEqual(['work']);
		const calledIn = async (client: typeof work) =>
			(await client.call('calls.list', {limit: 10}, {signal: neverAborted()})).map(({profile, tool}) => [
				profile,
				tool,
			]);
		expect(await calledIn(work)).toEqual([
			['work', 'grow'],
			['work', 'environment'],
			['work', 'pid'],
		]);
		expect(await calledIn(first)).toHaveLength(5);
		const runsOf = async (client: typeof work) =>
			(await client.call('runs.list', {limit: 10}, {signal: neverAborted()})).map(({profile}) => profile);
		await work.call('runs.start', {prompt: 'Look'}, {signal: neverAborted()});
		await first.call('runs.start', {prompt: 'Look'}, {signal: neverAborted()});
		expect([await runsOf(work), await runsOf(first)]).toEqual([['work'], ['default', 'work']]);
		const typedDefault = await clientOf('default', 'default');
		expect([await calledIn(typedDefault), await runsOf(typedDefault)]).toEqual([
			[
				['default', 'environment'],
				['default', 'pid'],
			],
			['default'],
		]);
		expect((await typedDefault.call('mcp.list', {}, {signal: neverAborted()})).map(({profile}) => profile)).toEqual([
			'default',
		]);
		[work, first, typedDefault].forEach(client => client.close());
		await gateway.stop('enough');
		// Each has its own schema file and server log; the journal is the root's.
		expect(readdirSync(join(root, 'profiles', 'work', 'logs', 'mcp-stderr'))).toEqual(['tells.log']);
		expect(readdirSync(join(root, 'profiles', 'work'))).not.toContain('journal.db');
	});

	test('a reload of one leaves the servers of the other alone', async () => {
		const {root, gateway, callIn} = await startTwo();
		const before = await callIn('default', 'pid');
		writeFileSync(pathsOf(root, 'work').config, `${tells}    timeout: 10\n`);
		expect(await gateway.reload()).toMatchObject({reconnected: ['work/tells'], unchanged: ['tells']});
		expect(await callIn('default', 'pid')).toBe(before);
	});

	test('the secrets of neither reach the log', async () => {
		const {paths, callIn, gateway} = await startTwo();
		await callIn('work', 'pid');
		await gateway.stop('enough');
		const log = readFileSync(`${paths.logs}/sluice.log`, 'utf8');
		expect(log).not.toMatch(/first-word|second-word/);
	});
});

describe('routes of another profile', () => {
	const routes = [
		'platforms:',
		'  webhook:',
		'    enabled: true',
		'    port: 0',
		'    routes:',
		'      own: {secret: INSECURE_NO_AUTH, script: mark.sh}',
		'      theirs: {secret: INSECURE_NO_AUTH, profile: work, script: mark.sh}',
		'      nobodys: {secret: INSECURE_NO_AUTH, profile: gone}',
		'',
	].join('\n');

	async function startRoutes() {
		const root = stateWith({default: {config: ''}, work: {config: ''}});
		for (const profile of ['default', 'work']) {
			const {scripts} = pathsOf(root, profile);
			mkdirSync(scripts, {recursive: true});
			writeFileSync(join(scripts, 'mark.sh'), `cat > /dev/null; echo '{"ran": "${profile}"}'`);
		}

		const running = await runGateway(`${multiplexed}${routes}`, root);
		const post = (path: string) =>
			fetch(`${running.gateway.webhookUrl()}${path}`, {
				method: 'POST',
				headers: {'content-type': 'application/json'},
				body: '{}',
			});
		return {...running, root, post};
	}

	test('are reached under the prefix of their profile alone', async () => {
		const {post} = await startRoutes();
		const answers = {
			'/webhooks/own': 202,
			'/p/default/webhooks/own': 202,
			'/p/work/webhooks/own': 404,
			'/p/work/webhooks/theirs': 202,
			'/webhooks/theirs': 404,
			'/p/default/webhooks/theirs': 404,
			'/p/gone/webhooks/nobodys': 404,
		};
		const found = Object.keys(answers).map(async path => [path, (await post(path)).status] as const);
		expect(Object.fromEntries(await Promise.all(found))).toEqual(answers);
	});

	test('are shown as served, and those of a profile that is not served are not', async () => {
		const {eventWhere} = await startRoutes();
		const shown = (route: string) => eventWhere(event => event.type === 'route.state' && event.route === route);
		expect(await shown('theirs')).toMatchObject({state: 'served', servedBy: 'work'});
		expect(await shown('nobodys')).toMatchObject({state: 'skipped'});
	});

	test('lead to events of their own profile, listed, followed and read without a gateway', async () => {
		const {root, post, gateway} = await startRoutes();
		await post('/webhooks/own');
		await post('/p/work/webhooks/theirs');
		const routesOf = (lines: readonly object[]) => lines.map(line => ('route' in line ? line.route : undefined));
		const list = async (...flags: readonly string[]) =>
			routesOf((await runSluiceJson({home: root}, 'events', 'list', ...flags)) as readonly object[]);
		expect(await list()).toEqual(['theirs', 'own']);
		expect(await list('--profile', 'default')).toEqual(['own']);
		expect(await list('--profile', 'work')).toEqual(['theirs']);
		expect(await list('--profile', 'default', '--route', 'theirs')).toEqual([]);

		const {context, stdout, abort} = openContext({flags: {json: true, follow: true}});
		const paths = {...pathsOf(root, 'default'), typedProfile: 'default'};
		const following = runEvents({...context, paths}, ownEvents({}), ownRoutes([]));
		const followed = () => stdout().split('\n').length - 1;
		await expect.poll(followed).toBe(1);
		await post('/p/work/webhooks/theirs');
		await post('/webhooks/own');
		await expect.poll(followed).toBe(2);
		abort();
		expect([await following, stdout()]).toEqual([0, expect.not.stringContaining('theirs')]);
		await gateway.stop('enough');
		expect(await list('--profile', 'default')).toEqual(['own', 'own']);
	});

	test('run the script of their own profile, and their run is kept for it', async () => {
		const {post, eventWhere} = await startRoutes();
		await post('/p/work/webhooks/theirs');
		const run = await eventWhere(event => event.type === 'run.state' && event.prompt !== undefined);
		expect(run).toMatchObject({prompt: expect.stringContaining('"ran": "work"')});
	});
});

test.each([
	[{method: 'mcp.view-tools', params: {}}, 'view.tools'],
	[{method: 'rules.view', params: {}}, 'view.rules'],
	[{method: 'runs.start', params: {prompt: 'Look'}}, 'run.state'],
] as const)('the order %o is answered by the profile it is for', async (order, answer) => {
	const root = stateWith({default: {config: ''}, work: {config: ''}});
	const {gateway, eventWhere} = await runGateway(multiplexed, root);
	for (const profile of ['work', undefined]) {
		gateway.send({...order, profile});
		await eventWhere(event => event.type === answer && event.profile === (profile ?? 'default'));
	}
});

test('what waits in the inbox of a profile that is no longer served can be closed', async () => {
	const root = stateWith({default: {config: ''}, work: {config: ''}});
	const routes = '{theirs: {secret: INSECURE_NO_AUTH, profile: work, prompt: Look}}';
	const webhook = `platforms: {webhook: {enabled: true, port: 0, routes: ${routes}}}\n`;
	const before = await runGateway(`${multiplexed}${webhook}`, root);
	await fetch(`${before.gateway.webhookUrl()}/p/work/webhooks/theirs`, {method: 'POST', body: '{}'});
	const inInbox = (event: GatewayEvent) => event.type === 'run.state' && event.state === 'inbox';
	await before.eventWhere(inInbox);
	await before.gateway.stop('enough');

	const {gateway, eventWhere} = await runGateway('', root);
	const item = await eventWhere(inInbox);
	const runId = item.type === 'run.state' ? item.runId : '';
	gateway.send({method: 'runs.close', params: {id: runId}, profile: item.profile});
	expect(await eventWhere(event => event.type === 'run.state' && event.state !== 'inbox')).toMatchObject({
		runId,
		profile: 'work',
	});
});

describe('a profile that cannot be served', () => {
	test('is reported, and the others are served', async () => {
		const root = stateWith({default: {config: ''}, held: {config: ''}, free: {config: tells}});
		const lock = await acquireLock(pathsOf(root, 'held').lock);
		const {eventWhere} = await runGateway(multiplexed, root);
		await eventWhere(event => event.type === 'log' && event.text.startsWith('The profile held is not served'));
		await eventWhere(connected('free'));
		await lock.release();
	});

	test('a gateway of its own is refused while another one serves it', async () => {
		const root = stateWith({default: {config: ''}, work: {config: ''}});
		await runGateway(multiplexed, root);
		await expect(acquireLock(pathsOf(root, 'work').lock)).rejects.toMatchObject({code: 'gateway_running'});
	});

	test('a profile nobody serves has no gateway to talk to', async () => {
		const root = stateWith({default: {config: ''}, work: {config: ''}});
		await runGateway('', root);
		expect(
			await connectGateway({paths: pathsOf(root, 'work'), clock: systemClock, signal: neverAborted()}),
		).toBeUndefined();
	});
});
