import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {connectControl} from '../../source/control/client.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {openJournal} from '../../source/journal/open-journal.ts';
import {type ConsoleMode} from '../../source/state/console-state.ts';
import {type GatewayEvent} from '../../source/state/event.ts';
import {systemClock} from '../../source/util/clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {callsOf, runGateway, type RunningGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

type RehearsalEvent = Extract<GatewayEvent, {type: 'view.rehearsal'}>;

const noEtc = {action: 'deny', server: '*', tool: 'read_*', arguments: {path: {prefix: '/etc'}}};
const denies = 'denies read_* of any server when path is below /etc';

/** A gateway with so many recorded calls, the newest of which its rule denies. */
async function openGateway(calls = 2): Promise<RunningGateway> {
	const home = temporaryDirectory();
	const limits = () => ({maxAgeDays: 30, maxBytes: 1_000_000_000});
	const journal = openJournal({path: join(home, 'journal.db'), clock: systemClock, limits});
	await Promise.all(
		Array.from({length: calls}, (_, index) =>
			journal.startCall({
				id: `call-${index}`,
				time: Date.now() - 1000,
				profile: 'default',
				server: 'files',
				tool: 'read_file\u001B[2J',
				arguments: {path: index === calls - 1 ? '/etc/shadow' : '/srv'},
				origin: {kind: 'command-line'},
				judged: {fingerprint: 'f', decision: 'asked'},
			}),
		),
	);
	await journal.close();
	const files = {command: 'true', trust: 'untrusted', enabled: false};
	const config = {gateway: {endpoint: {port: 0}}, mcp_servers: {files}, approvals: {rules: [noEtc]}};
	return runGateway(JSON.stringify(config), home);
}

/** A console in the gateway's process. */
async function ownConsole({gateway}: RunningGateway, mode: ConsoleMode = 'deciding') {
	const shown: RehearsalEvent[] = [];
	const show = (event: GatewayEvent) => event.type === 'view.rehearsal' && shown.push(event);
	const {call, close} = gateway.openConsole({mode});
	const {send, abort} = callsOf(call, show, createEventBus({clock: systemClock, redact: event => event}));
	return {shown, send, abort, close};
}

async function connect({paths}: RunningGateway) {
	return (await connectControl({path: paths.controlSocket, clock: systemClock})) ?? expect.fail('no gateway was found');
}

/** One at its control socket. */
async function attachedConsole(running: RunningGateway, mode: ConsoleMode = 'deciding') {
	const shown: RehearsalEvent[] = [];
	const client = await connect(running);
	const options = {mode, terminal: 'a test', browser: 'nowhere'} as const;
	const console = await client.openConsole(options);
	const take = (event: GatewayEvent) => event.type === 'view.rehearsal' && shown.push(event);
	const {send} = callsOf(console.call, take, createEventBus({clock: systemClock, redact: event => event}));
	onTestFinished(console.close);
	return {shown, send, close: console.close};
}

const consoles = {'in its process': ownConsole, 'at its control socket': attachedConsole};
const ways = Object.entries(consoles).flatMap(([way, open]) =>
	(['deciding', 'read-only'] as const).map(mode => ({way, open, mode})),
);
const progresses = (shown: readonly RehearsalEvent[]) => shown.map(({progress}) => progress.state);
const none = {allow: 0, ask: 0, deny: 0};

test.each(ways)('a $mode console $way sees what the rules make of the recorded calls', async ({open, mode}) => {
	const running = await openGateway();
	const {shown, send} = await open(running, mode);
	send({method: 'rules.rehearse', params: {}});
	await expect
		.poll(() => shown.at(-1)?.progress)
		.toMatchObject({
			state: 'over',
			calls: 2,
			reach: 'all-calls',
			before: {...none, ask: 2},
			after: {...none, ask: 1, deny: 1},
			changes: 1,
			changed: [{callId: 'call-1', tool: 'read_file␛[2J', before: 'ask', after: 'deny', rule: denies}],
		});
	expect(shown[0]).toMatchObject({profile: 'default', progress: {state: 'running', calls: 0}});
	expect(shown[0]).not.toHaveProperty('without');
});

test('without a rule, its words say which', async () => {
	const running = await openGateway();
	const client = await connect(running);
	const [{id} = {id: ''}] = await client.call('rules.list', {}, {signal: neverAborted()});
	const {shown, send} = await ownConsole(running);
	send({method: 'rules.rehearse', params: {without: id}});
	await expect
		.poll(() => shown.at(-1))
		.toMatchObject({
			without: denies,
			progress: {state: 'over', changed: [{before: 'deny', after: 'ask', rule: denies}]},
		});
	send({method: 'rules.rehearse', params: {without: 'nobody'}});
	await expect
		.poll(() => shown.at(-1))
		.toMatchObject({
			without: 'nobody',
			progress: {state: 'failed', reason: expect.stringContaining('can be left out')},
		});
});

test('the gateway answers others while it rehearses', async () => {
	const running = await openGateway(1200);
	const client = await connect(running);
	const {shown, send} = await ownConsole(running);
	send({method: 'rules.rehearse', params: {}});
	await client.call('status', {}, {signal: neverAborted()});
	expect(progresses(shown)).not.toContain('over');
	await expect.poll(() => shown.at(-1)?.progress).toMatchObject({state: 'over', calls: 1200, changes: 1});
});

const ends: ReadonlyArray<readonly [string, (console: Awaited<ReturnType<typeof ownConsole>>) => void]> = [
	['is cancelled', ({abort}) => abort('rules.rehearse')],
	['is left by its console', ({close}) => close()],
];

test.each(ends)('a rehearsal that %s says nothing more, and the next one begins', async (_, end) => {
	const running = await openGateway(600);
	const console = await ownConsole(running);
	const {shown, send} = console;
	send({method: 'rules.rehearse', params: {}});
	expect(progresses(shown)).toEqual(['running']);
	end(console);
	const other = await ownConsole(running);
	other.send({method: 'rules.rehearse', params: {}});
	await expect.poll(() => other.shown.at(-1)?.progress.state).toBe('over');
	expect(progresses(shown)).toEqual(['running']);
});

test('the next rehearsal of a console replaces the one before, and those of others wait', async () => {
	const running = await openGateway(600);
	const [first, second] = [await ownConsole(running), await ownConsole(running)];
	first.send({method: 'rules.rehearse', params: {}});
	second.send({method: 'rules.rehearse', params: {}});
	first.send({method: 'rules.rehearse', params: {without: 'nobody'}});
	await expect
		.poll(() => [first.shown.at(-1)?.progress.state, second.shown.at(-1)?.progress.state])
		.toEqual(['failed', 'over']);
	expect(first.shown.filter(({without, progress}) => without === undefined && progress.state === 'over')).toEqual([]);
});

test('rules that cannot be read are said in place of figures', async () => {
	const running = await openGateway();
	const {shown, send} = await ownConsole(running);
	writeFileSync(join(running.paths.directory, 'approval-rules.json'), '{');
	send({method: 'rules.rehearse', params: {}});
	await expect
		.poll(() => shown.at(-1)?.progress)
		.toMatchObject({
			state: 'failed',
			reason: expect.stringContaining('approval-rules.json'),
		});
});
