import {expect, onTestFinished, test} from 'vitest';
import {runHook} from '../../../source/commands/connect/hook.ts';
import {type HookProgramName} from '../../../source/config/programs/program-names.ts';
import {type CommandContext} from '../../../source/commands/cli/command.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {type ProgramReaction, simulated, simulatedEvents} from '../../simulators/hook-programs.ts';
import {openContext} from '../command-fixture.ts';

type Reach = {readonly controlSocket?: string; readonly clock?: CommandContext['clock']};

async function* inPieces(text: string): AsyncIterable<Buffer> {
	const bytes = Buffer.from(text);
	const size = 100_000;
	for (let at = 0; at < bytes.length; at += size) {
		yield bytes.subarray(at, at + size);
	}
}

/** Runs the command in this process, as a program would run it. */
function startHook(name: string, input: string | JsonObject, {controlSocket, clock}: Reach = {}) {
	const {context, stdout, stderr, abort} = openContext({
		arguments: [name],
		...(controlSocket !== undefined && {controlSocket}),
	});
	const text = typeof input === 'string' ? input : JSON.stringify(input);
	const end = runHook({...context, ...(clock && {clock})}, inPieces(text)).then(exitCode => ({
		exitCode,
		stdout: stdout(),
		stderr: stderr(),
	}));
	return {end, abort};
}

/** A gateway with a person, on its real socket. */
async function openGateway(yaml = '') {
	const running = await runGateway(yaml);
	onTestFinished(running.gateway.openDecidingConsole());
	const {controlSocket} = running.paths;
	const answer = async (method: 'approvals.allow' | 'approvals.deny') => {
		await expect.poll(() => running.snapshot().approvals.length).toBe(1);
		const card = running.snapshot().approvals[0] ?? expect.unreachable('nobody is asked');
		const {id, argumentsHash} = card;
		running.gateway.send(
			method === 'approvals.allow'
				? {method, params: {id, arguments_hash: argumentsHash, scope: 'once'}}
				: {method, params: {id, message: 'not now'}},
		);
		await expect.poll(() => running.snapshot().approvals.length).toBe(0);
		return card;
	};

	return {...running, controlSocket, answer};
}

const waiting = simulatedEvents.filter(({event}) => event !== 'PreToolUse');

test('a person allows and denies the shell command of each program that waits for one', async () => {
	const {controlSocket, answer} = await openGateway();
	const programs = [...waiting, simulated('vscode')];
	for (const program of programs) {
		const hook = () => startHook(program.program, program.payload({}), {controlSocket});
		const allowed = hook();
		const card = await answer('approvals.allow');
		expect(card).toMatchObject({server: `hook:${program.program}`, tool: program.shell, transport: 'hook'});
		expect(card.arguments).toMatchObject({'hook.cwd': '/srv/app'});
		expect([program.program, program.react(await allowed.end)]).toEqual([program.program, 'runs']);
		const denied = hook();
		await answer('approvals.deny');
		const end = await denied.end;
		expect([program.program, program.react(end)]).toEqual([program.program, 'blocked']);
		expect(end.stdout).toContain('not now');
	}

	expect(programs.map(({program}) => program)).toEqual([
		'claude-code',
		'codex',
		'gemini',
		'cursor',
		'opencode',
		'vscode',
	]);
});

test('calls that do not wait are answered at once: nothing, or a denial by a rule', async () => {
	const {controlSocket, snapshot} = await openGateway(
		'approvals: {rules: [{action: deny, server: "hook:*", tool: "*", arguments: {path: {equals: /etc/shadow}}}, {action: deny, server: "hook:*", arguments: {command: {equals: reboot}}}, {action: deny, server: "hook:*", arguments: {CommandLine: {equals: reboot}}}]}\n',
	);
	for (const {program, reads, payload, react, event} of simulatedEvents) {
		const isAsking = event === 'PermissionRequest' || event === 'permission.asked';
		if (!isAsking) {
			const free = startHook(program, payload({tool: reads, input: {path: '/srv/app/a', id: '1'}, id: 'a'}), {
				controlSocket,
			});
			expect([program, react(await free.end)]).toEqual([program, 'its-way']);
		}

		const input: JsonObject = program === 'antigravity' ? {CommandLine: 'reboot'} : {command: 'reboot'};
		const denied = startHook(program, payload({input, id: 'b'}), {controlSocket});
		expect([program, react(await denied.end)]).toEqual([program, 'blocked']);
	}

	expect(snapshot().approvals).toEqual([]);
});

test('a killed hook withdraws its request', async () => {
	const {controlSocket, snapshot, eventWhere} = await openGateway();
	const hook = startHook('claude-code', simulated('claude-code').payload({}), {controlSocket});
	await expect.poll(() => snapshot().approvals.length).toBe(1);
	hook.abort();
	await eventWhere(event => event.type === 'approval.settled' && event.outcome === 'cancelled');
	expect(snapshot().approvals).toEqual([]);
	expect(simulated('claude-code').react(await hook.end)).toBe('asks');
});

/** The reaction of a program to a hook that found nobody. */
const alone: Readonly<Record<HookProgramName, ProgramReaction>> = {
	'claude-code': 'asks',
	codex: 'asks',
	gemini: 'blocked',
	antigravity: 'its-way',
	cursor: 'blocked',
	vscode: 'asks',
	opencode: 'asks',
};

test.each(Object.entries(alone))('without a gateway, and without a person, %s: %s', async (name, reaction) => {
	const program = simulatedEvents.find(one => one.program === name) ?? expect.unreachable('no such program');
	expect(program.react(await startHook(name, program.payload({})).end)).toBe(reaction);
	const {paths} = await runGateway('');
	const end = await startHook(name, program.payload({}), {controlSocket: paths.controlSocket}).end;
	expect(program.react(end)).toBe(reaction);
});

test('ten seconds before the time limit of the program the hook answers, and its request is withdrawn', async () => {
	const {controlSocket, snapshot} = await openGateway('approvals: {timeout: 90000}\n');
	const clock = createFakeClock();
	const program = simulated('gemini');
	const hook = startHook('gemini', program.payload({}), {controlSocket, clock});
	await expect.poll(() => snapshot().approvals.length).toBe(1);
	await clock.advance(86_389_999);
	expect(snapshot().approvals).toHaveLength(1);
	await clock.advance(1);
	const end = await hook.end;
	expect([program.react(end), end.stdout]).toEqual(['blocked', expect.stringContaining('Nobody answered in the time')]);
	await expect.poll(() => snapshot().approvals.length).toBe(0);
});

test('in a mode in which the program never asks, no gateway means a denial before each call', async () => {
	const program = simulated('claude-code', 'PreToolUse');
	const end = (mode: string) => startHook('claude-code', program.payload({mode})).end;
	expect(program.react(await end('bypassPermissions'))).toBe('blocked');
	expect(program.react(await end('default'))).toBe('its-way');
});

test('calls of the tools of Sluice get no decision, not even without a gateway', async () => {
	const program = simulated('claude-code', 'PreToolUse');
	const payload = program.payload({tool: 'mcp__sluice__mcp__files__write', mode: 'bypassPermissions'});
	expect(await startHook('claude-code', payload).end).toEqual({exitCode: 0, stdout: '', stderr: ''});
});

test.each<readonly [string, string, string]>([
	['no JSON', 'rm -rf /', 'is not a JSON object'],
	['nothing', '', 'is not a JSON object'],
	['a list', '[]', 'is not a JSON object'],
	[
		'the JSON of another program',
		'{"agent_action_name": "pre_run_command"}',
		'not that of a program that Sluice knows',
	],
	[
		'a call without a tool',
		'{"session_id": "s", "hook_event_name": "PreToolUse", "tool_input": {}}',
		'has no tool_name',
	],
	[
		'a call without an input',
		'{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash"}',
		'tool_input is not',
	],
	['10 MB', `{"session_id": "${'x'.repeat(10_000_000)}"}`, 'longer than 4 MB'],
	[
		'a member twice',
		'{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls", "command": "rm"}}',
		'the same name twice',
	],
])('%s on stdin is refused with a message of its own', async (_, input, text) => {
	const end = await startHook('claude-code', input).end;
	expect(end).toMatchObject({exitCode: 2, stdout: '', stderr: expect.stringContaining(text)});
	const antigravity = simulated('antigravity');
	if (!text.includes('tool_')) {
		expect(antigravity.react(await startHook('antigravity', input).end)).toMatch(/^(?:blocked|its-way)$/u);
	}
});

test('an event that is not about a call gets nothing', async () => {
	const end = await startHook('claude-code', {session_id: 's', hook_event_name: 'SessionStart'}).end;
	expect(end).toEqual({exitCode: 0, stdout: '', stderr: ''});
});

test('a program that is not known is a wrong use', async () => {
	await expect(startHook('cursr', '{}').end).rejects.toThrow('did you mean "cursor"?');
});

test('the hook of another program is answered in the words of the program that runs it', async () => {
	const {controlSocket, answer} = await openGateway();
	const program = simulated('vscode');
	const hook = startHook('claude-code', program.payload({}), {controlSocket});
	expect(await answer('approvals.allow')).toMatchObject({
		server: 'hook:vscode',
		address: 'asked by sluice hook claude-code; VS Code makes the call itself',
	});
	expect(program.react(await hook.end)).toBe('runs');
});

test('two parallel equal calls are two cards', async () => {
	const {controlSocket, snapshot} = await openGateway();
	const program = simulated('vscode');
	const hooks = [1, 2].map(() => startHook('vscode', program.payload({}), {controlSocket}));
	await expect.poll(() => snapshot().approvals.length).toBe(2);
	hooks.forEach(({abort}) => abort());
	await Promise.all(hooks.map(({end}) => end));
});
