import {type HoldNote} from '../../../source/state/json/gateway.ts';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {createSubscriptionStore} from '../../../source/config/webhooks/subscriptions.ts';
import {openOwnClient} from '../../../source/gateway/own-client.ts';
import {openHoldCheck} from '../../../source/gateway/stores/hold-store.ts';
import {openGatewayDocuments} from '../../../source/gateway/documents/gateway-documents.ts';
import {createRuleStore} from '../../../source/gateway/stores/rule-store.ts';
import {loadOpenProfile} from '../../../source/gateway/documents/open-profile.ts';
import {type GatewayEvent} from '../../../source/state/event.ts';
import {connectTo} from '../../control/control-fixture.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {createTestRuntime} from '../../helpers/gateway-parts.ts';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {openForAll} from '../../helpers/on-test-finished.ts';
import {openOwnPostgres} from '../../helpers/own-postgres.ts';
import {hasPostgres, newSchema, postgresPrograms} from '../../helpers/postgres-server.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {type RunningGateway, runGateway} from '../../helpers/running-gateway.ts';
import {writeConfig} from '../../helpers/sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const configText = ({
	url,
	schema,
	node = 'web-1',
}: {
	readonly url: string;
	readonly schema: string;
	readonly node?: string;
}) => `journal: {url: "${url}", schema: ${schema}, node: ${node}, pool: 3}
mcp_servers:
  garden:
    command: ${JSON.stringify(process.execPath)}
    args: ${JSON.stringify(fixtureArguments('mcp-plain.ts'))}
    trust: untrusted
platforms:
  webhook: {enabled: true, port: 0, secret: INSECURE_NO_AUTH}
`;

/** A gateway with its documents in a new schema, and commands on another machine with the same configuration. */
async function start() {
	const {database} = await newPostgresPlace();
	const yaml = configText(database);
	const root = temporaryDirectory();
	const elsewhere = temporaryDirectory();
	writeConfig(elsewhere, configText({...database, node: 'web-2'}));
	const running = await runGateway(yaml, root);
	return {...running, root, elsewhere, runtime: createTestRuntime(elsewhere)};
}

const connected = (event: GatewayEvent) => event.type === 'server.state' && event.state === 'connected';
const held = (event: GatewayEvent) => event.type === 'hold.state' && event.held !== undefined;
const released = (event: GatewayEvent) => event.type === 'hold.state' && event.held === undefined;
const append = ({gateway}: Pick<RunningGateway, 'gateway'>, file: string) =>
	gateway.callTool(
		{name: 'mcp__garden__append', arguments: {file, text: 'x'}, origin: {kind: 'dashboard'}},
		{signal: new AbortController().signal},
	);
const rule = (action: 'allow' | 'deny') => ({
	action,
	server: 'garden',
	tool: 'append',
	arguments: {},
	ignore: action === 'allow' ? ['file', 'text'] : [],
});

describe.skipIf(!hasPostgres)('what is stored in the database of the journal', () => {
	test('rules that a command elsewhere stores and removes count here, also for a call that waits', async () => {
		const running = await start();
		const {runtime, root, gateway, eventWhere} = running;
		await eventWhere(connected);
		const file = join(root, 'written');
		expect(await append(running, file)).toMatchObject({kind: 'error'});
		const {documents, clock} = await loadOpenProfile(runtime);
		const store = createRuleStore(documents);
		await store.update(rules => ({...rules, stored: [{rule: rule('allow'), storedAt: 1}]}), clock);
		await expect.poll(() => append(running, file), {timeout: 5000}).toMatchObject({kind: 'result'});
		const own = openOwnClient(runtime, {signal: neverAborted(), report: () => undefined});
		const [{id} = {id: ''}] = await own.call('rules.list', {});
		expect(await own.call('rules.revoke', {id})).toEqual({answer: 'revoked'});
		await own.close();
		gateway.openDecidingConsole();
		const waiting = append(running, file);
		await eventWhere(({type}) => type === 'approval.requested');
		await store.update(stored => ({...stored, stored: [{rule: rule('deny'), storedAt: 2}]}), clock);
		expect(await waiting).toMatchObject({kind: 'error', error: {message: expect.stringContaining('rule')}});
		expect(existsSync(join(root, 'approval-rules.json'))).toBe(false);
	});

	test('a hold of a command elsewhere holds here, and its release releases', async () => {
		const {runtime, root, eventWhere, events} = await start();
		const own = openOwnClient(runtime, {signal: neverAborted(), report: () => undefined});
		const notes: HoldNote[] = [];
		const {held: made} = await own.call('hold', {reason: 'odd'}, {onNote: note => notes.push(note)});
		expect(notes).toEqual([{type: 'hold.stored', for: 'every-gateway'}]);
		expect(made.by).toBe('cli');
		expect(await eventWhere(held)).toMatchObject({held: {...made, by: 'cli on web-2'}});
		events.length = 0;
		expect(await own.call('unhold', {hash: made.hash})).toMatchObject({answer: 'released'});
		expect(await eventWhere(released)).toMatchObject({releasedBy: 'another gateway'});
		await own.close();
		expect(existsSync(join(root, 'hold.json'))).toBe(false);
	});

	test('a hold of the gateway names it elsewhere, and only there', async () => {
		const {runtime, root, paths} = await start();
		const client = await connectTo(paths.controlSocket);
		const {held: made} = await client.call('hold', {reason: 'odd'}, {signal: neverAborted()});
		expect(made?.by).toBe('cli');
		const checkOf = async (of: typeof runtime) => openHoldCheck(await loadOpenProfile(of));
		expect((await checkOf(runtime)).assertFree).toThrow(/ by cli on web-1: odd$/u);
		expect((await checkOf(createTestRuntime(root))).assertFree).toThrow(/ by cli: odd$/u);
		expect((await runSluice({home: runtime.paths.root}, 'doctor')).stdout).toContain(' by cli on web-1: odd');
	});

	test('subscriptions and jobs of a command elsewhere are served here', async () => {
		const {runtime, gateway, eventWhere, root} = await start();
		const {documents, clock} = await loadOpenProfile(runtime);
		const entry = {secret: 'INSECURE_NO_AUTH', prompt: '{x}'};
		await createSubscriptionStore(documents).update(() => ({pulls: entry}), clock);
		await eventWhere(event => event.type === 'route.state' && event.route === 'pulls');
		const post = () => fetch(`${gateway.webhookUrl()}/webhooks/pulls`, {method: 'POST', body: '{"x":1}'});
		expect((await post()).status).toBe(202);
		const jobs = openOwnClient(runtime, {signal: neverAborted(), report: () => undefined});
		const asked = {name: 'nightly', prompt: 'x', schedule: '@daily', time_zone: 'UTC', skills: []};
		const job = await jobs.call('cron.create', {...asked, deliver: 'log', deliver_extra: {}});
		await jobs.close();
		expect(await eventWhere(event => event.type === 'cron.job')).toMatchObject({id: job.id, name: 'nightly'});
		expect(['webhook_subscriptions.json', 'cron/jobs.json'].filter(name => existsSync(join(root, name)))).toEqual([]);
	});
});

describe.skipIf(postgresPrograms === undefined)('a database that is away at the start', () => {
	const server = openForAll(openOwnPostgres);

	test('lets no call through and holds everything, until it is there', async () => {
		await server().stop();
		const running = await runGateway(configText({url: server().url, schema: newSchema()}));
		const {gateway, eventWhere, events, paths} = running;
		expect(await eventWhere(held)).toMatchObject({
			held: {by: 'gateway', reason: 'hold in the journal was not read: the journal could not be used'},
		});
		await eventWhere(connected);
		expect(await append(running, join(paths.directory, 'written'))).toMatchObject({
			kind: 'error',
			error: {message: expect.stringContaining('No tool is called while the rules cannot be read')},
		});
		events.length = 0;
		await server().start();
		await gateway.reload();
		expect(await eventWhere(released)).toMatchObject({releasedBy: 'gateway'});
		expect(await append(running, join(paths.directory, 'written'))).toMatchObject({
			error: {code: 'no_channel'},
		});
	});
});

test('a configuration that cannot be read and may name a database leaves open where things are stored, until it can', async () => {
	const yaml = 'journal: {max_age_days: 3}\n# no url\nplatforms: {webhook: {enabled: false}}\n';
	const {gateway, eventWhere, events, writeConfig: write} = await runGateway(`${yaml} {`);
	expect(await eventWhere(held)).toMatchObject({
		held: {reason: expect.stringContaining('which names the journal, cannot be read')},
	});
	events.length = 0;
	write(yaml);
	await gateway.reload();
	expect(await eventWhere(released)).toMatchObject({releasedBy: 'gateway'});
});

test('documents are followed once, however often the journal is taken', async () => {
	const clock = createFakeClock();
	const list = vi.fn(async () => []);
	const documents = await openGatewayDocuments(
		{clock},
		{
			journal: {listDocuments: list, replaceDocument: async () => 'replaced', announce: async () => undefined},
			async take(recover) {
				await recover();
				await recover();
			},
			place: () => 'database',
			onHint: () => undefined,
			sharedAs: () => 'web-1',
		},
	);
	list.mockClear();
	await clock.advance(1000);
	expect(list).toHaveBeenCalledOnce();
	documents.close();
	expect(clock.open()).toBe(0);
});
