import {expect, onTestFinished, test} from 'vitest';
import {type GatewayCall} from '../../source/state/gateway-call.ts';
import {maxNoteCharacters} from '../../source/state/work-event.ts';
import {connectTo} from '../control/control-fixture.ts';
import {fixtureArguments} from '../helpers/fixture-program.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {callsOf} from '../helpers/running-gateway.ts';
import {openStopFixture, type Script, type Started, stop} from './stop-fixture.ts';

const signal = neverAborted();
const patience = {timeout: 20_000};
const garden = {command: process.execPath, args: fixtureArguments('mcp-plain.ts'), trust: 'untrusted'};
const plant = (first: boolean) =>
	first ? {tool: 'mcp__garden__append', input: {file: '/dev/null', text: 'Mow'}} : 'Planted.';
const usage = {prompt_tokens: 100, completion_tokens: 20};
const prices = {scripted: {input: 1, output: 100}};

async function openFixture(script: Script = {plant}, config: object = {}) {
	return openStopFixture(script, {mcp_servers: {garden}, limits: {prices}, ...config}, {}, {usage});
}

const runOf = ({snapshot}: Pick<Started, 'snapshot'>, prompt: string) =>
	snapshot().runs.find(run => run.prompt === prompt);
const waitingFor = (running: Started, prompt: string) => runOf(running, prompt)?.waitingFor;
const idOf = (running: Started, prompt: string) => runOf(running, prompt)?.runId ?? '';

/** The gateway with a run that waits for an approval; a console may allow it. */
async function openAtWork(script?: Script, config?: object) {
	const fixture = await openFixture(script, config);
	const running = await fixture.start();
	running.gateway.openDecidingConsole();
	onTestFinished(() => stop(running, fixture));
	await running.send('r', 'plant');
	await expect.poll(() => waitingFor(running, 'plant'), patience).toBe('approval');
	await fixture.clock.advance(1000);
	return {fixture, running, id: idOf(running, 'plant')};
}

function allow({gateway, snapshot}: Started): void {
	const [{id, argumentsHash} = {id: '', argumentsHash: ''}] = snapshot().approvals;
	gateway.send({method: 'approvals.allow', params: {id, arguments_hash: argumentsHash, scope: 'once'}});
}

const note = (id: string, text: string): GatewayCall => ({method: 'runs.note', params: {id, text}});
const states = ({events}: Started) =>
	events.flatMap(event => (event.type === 'run.note' ? [[event.by, event.text, event.state]] : []));

/** The lines of a run's trace about its turns and notes, as `runs show` has them. */
async function showRun(running: Started, id: string) {
	const client = await connectTo(running.paths.controlSocket);
	const run = await client.call('runs.show', {id}, {signal});
	const lines = run?.trace.lines.filter(({kind}) => kind === 'turn' || kind === 'note') ?? [];
	return {run, lines: lines.map(({kind, state, subject, facts}) => [kind, state, subject, ...facts])};
}

test('notes of a console and of a command reach the next turn, and the trace has turns, tokens, money and notes', async () => {
	const {fixture, running, id} = await openAtWork();
	expect((await showRun(running, id)).lines).toEqual([
		['turn', 'answered', 'turn 1', '0 ms', '100 tokens in, 20 out', '$0.0021'],
	]);
	running.gateway.send(note(id, 'Not the roses'));
	await running.eventWhere(event => event.type === 'run.note');
	const client = await connectTo(running.paths.controlSocket);
	expect(
		await client.call('runs.note', {id: id.slice(-8), text: 'Nor the \u001B[2Jtulips\u0007\r\nplease'}, {signal}),
	).toEqual({
		run_id: id,
		note_id: expect.any(String),
	});
	const [byConsole, , waits] = states(running)[0] ?? [];
	expect([byConsole, waits]).toEqual([expect.stringMatching(/^console:\d$/u), 'waiting']);
	expect((await showRun(running, id)).lines.slice(1)).toEqual([
		['note', 'waiting', `by ${byConsole}`, 'waits for the next turn', 'Not the roses'],
		['note', 'waiting', 'by cli', 'waits for the next turn', 'Nor the ␛[2Jtulips␇ please'],
	]);

	allow(running);
	await expect.poll(() => runOf(running, 'plant')?.state, patience).toBe('finished');
	const shown = 'Nor the ␛[2Jtulips␇\nplease';
	expect(fixture.asked.at(-1)).toContain(shown);
	await expect
		.poll(() => states(running).slice(2))
		.toEqual([
			[byConsole, 'Not the roses', 'read'],
			['cli', shown, 'read'],
		]);
	const {run, lines} = await showRun(running, id);
	expect(lines).toEqual([
		['turn', 'answered', 'turn 1', '0 ms', '100 tokens in, 20 out', '$0.0021'],
		['note', 'read', `by ${byConsole}`, 'in turn 2', 'Not the roses'],
		['note', 'read', 'by cli', 'in turn 2', 'Nor the ␛[2Jtulips␇ please'],
		['turn', 'answered', 'turn 2', '0 ms', '100 tokens in, 20 out', '$0.0021', 'so far 240 tokens, $0.0042'],
	]);
	expect(run).toMatchObject({
		turns: 2,
		usage: {input_tokens: 200, output_tokens: 40},
		usd: 0.0042,
		model_turns: [
			{number: 1, input_tokens: 100, output_tokens: 20, usd: 0.0021},
			{number: 2, input_tokens: 100, output_tokens: 20, usd: 0.0021},
		],
		notes: [
			{by: byConsole, text: 'Not the roses', turn: 2},
			{by: 'cli', text: shown, turn: 2},
		],
	});
	expect(runOf(running, 'plant')).toMatchObject({turns: 2, microUsd: 4200});
});

test('a model without a price shows tokens alone', async () => {
	const {running, id} = await openAtWork(undefined, {limits: {}});
	expect((await showRun(running, id)).lines).toEqual([['turn', 'answered', 'turn 1', '0 ms', '100 tokens in, 20 out']]);
	expect(runOf(running, 'plant')?.microUsd).toBe(undefined);
});

test('a note is refused with words by a run that has ended, for its length, without text, and in a read-only window', async () => {
	const {running, id} = await openAtWork();
	const client = await connectTo(running.paths.controlSocket);
	const refusal = async (given: {id: string; text: string}) =>
		client.call('runs.note', given, {signal}).then(
			() => 'taken',
			(caught: unknown) => (caught as Error).message,
		);
	expect(await refusal({id, text: 'x'.repeat(100_000)})).toBe(
		'A note has 1 to 20,000 characters, and this one 100,000',
	);
	expect(await refusal({id, text: ' \r\n '})).toBe('A note has 1 to 20,000 characters, and this one 0');
	expect(await refusal({id: 'none', text: 'x'})).toBe('No run has the id none');
	const {call, close} = running.gateway.openConsole({mode: 'read-only'});
	const looking = callsOf(call, () => undefined, {publishTo: () => () => undefined});
	looking.send(note(id, 'x'));
	await expect
		.poll(() => looking.ends)
		.toMatchObject([{kind: 'problem', reason: expect.stringMatching(/^console:\d is read-only/u)}]);
	close();
	// The longest is taken.
	expect(await refusal({id, text: '\u0001'.repeat(maxNoteCharacters)})).toBe('taken');

	await client.call('runs.cancel', {id}, {signal});
	const short = id.slice(-8);
	for (const text of ['too late', 'too late']) {
		expect(await refusal({id, text})).toBe(
			`The run ${short} has ended (cancelled), so no model reads the note; nothing was added`,
		);
	}

	expect((await showRun(running, id)).run?.notes).toHaveLength(1);
});

test('a note is in the journal before it is reported: after a stop the trace says that the run ended without reading it', async () => {
	const {fixture, running, id} = await openAtWork();
	const client = await connectTo(running.paths.controlSocket);
	await client.call('runs.note', {id, text: 'Not the roses'}, {signal});
	await stop(running, fixture);
	expect(states(running).at(-1)).toEqual(['cli', 'Not the roses', 'unread']);
	const again = await fixture.start();
	onTestFinished(() => stop(again, fixture));
	expect((await showRun(again, id)).lines.at(-1)).toEqual([
		'note',
		'unread',
		'by cli',
		'the run ended without reading it',
		'Not the roses',
	]);
	expect(fixture.asked).toEqual(['plant']);
});

test('a note to a run in the queue reaches its first turn, also after a restart', async () => {
	const {fixture, running} = await openAtWork(
		{plant, later: () => 'Later.', think: () => new Promise(() => undefined)},
		{
			agent: {max_concurrent_runs: 1},
		},
	);
	await running.send('r', 'think');
	await expect.poll(() => fixture.asked, patience).toContain('think');
	const client = await connectTo(running.paths.controlSocket);
	const {run_id: later} = await client.call('runs.start', {prompt: 'later'}, {signal});
	await client.call('runs.note', {id: later, text: 'Be brief'}, {signal});
	await stop(running, fixture);
	const again = await fixture.start();
	onTestFinished(() => stop(again, fixture));
	await expect.poll(() => again.runs()['later'], patience).toBe('finished');
	expect(fixture.asked.at(-1)).toContain('Be brief');
	expect((await showRun(again, later)).lines[0]).toEqual(['note', 'read', 'by cli', 'in turn 1', 'Be brief']);
});

test('a cancelled run says that it has not read a note', async () => {
	const {running, id} = await openAtWork();
	const client = await connectTo(running.paths.controlSocket);
	await client.call('runs.note', {id, text: 'Not the roses'}, {signal});
	await client.call('runs.cancel', {id}, {signal});
	await running.eventWhere(event => event.type === 'run.note' && event.state === 'unread');
	expect((await showRun(running, id)).lines.at(-1)?.slice(0, 4)).toEqual([
		'note',
		'unread',
		'by cli',
		'the run ended without reading it',
	]);
});
