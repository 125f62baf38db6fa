import {describe, expect, test} from 'vitest';
import {type HookDecision} from '../../../source/config/hooks/hook-call.ts';
import {callerOf, hookPrograms} from '../../../source/config/hooks/hook-programs.ts';
import {guardedKind, hookServer} from '../../../source/config/hooks/hook-tools.ts';
import {type HookEnd, simulatedEvents} from '../../simulators/hook-programs.ts';

const decisions: readonly HookDecision[] = [
	{kind: 'allow'},
	{kind: 'deny', message: 'no'},
	{kind: 'undecided', message: 'nobody is there'},
	{kind: 'nothing'},
];

describe.each(simulatedEvents.map(one => [`${one.program} at ${one.event}`, one] as const))('%s', (_, simulated) => {
	const program = hookPrograms[simulated.program];
	const event = program.events[simulated.event] ?? expect.unreachable('the event is missing');
	const reactionTo = (decision: HookDecision) => simulated.react(event.answer(decision));

	test('its payload is recognised and read', () => {
		const payload = simulated.payload({});
		expect(callerOf(payload)).toBe(program);
		expect(program.read(payload)).toMatchObject({
			kind: 'call',
			call: {event: simulated.event, tool: simulated.shell, cwd: '/srv/app', mode: 'asks'},
		});
	});

	test('its tools have their kinds', () => {
		const server = hookServer(simulated.program);
		expect([simulated.shell, simulated.edit, simulated.reads].map(tool => guardedKind(server, tool))).toEqual([
			'shell',
			'edit',
			undefined,
		]);
	});

	test('a denial blocks the call, and nobody takes an undecided one for an allowance', () => {
		expect(reactionTo({kind: 'deny', message: 'no'})).toBe('blocked');
		expect(reactionTo({kind: 'undecided', message: 'nobody is there'})).toMatch(/^(?:asks|blocked)$/u);
	});

	test('nothing to say leaves the program its own way', () => {
		expect(reactionTo({kind: 'nothing'})).toBe(event.waits === 'every-tool' ? 'asks' : 'its-way');
	});

	test('an allowance lets the call run where it may be given, and is no failure elsewhere', () => {
		expect(reactionTo({kind: 'allow'})).toBe(event.waits === 'none' ? 'its-way' : 'runs');
	});

	test('an input that nobody understands is never an allowance', () => {
		const reaction = simulated.react(program.refuse('not understood'));
		expect(reaction).toMatch(/^(?:asks|blocked)$/u);
	});

	test.each<readonly [string, HookEnd]>([
		['a hook that crashes', {exitCode: 1, stdout: ''}],
		['a hook that is killed', 'killed'],
		['a hook that takes too long', 'time-out'],
		['a hook that is not there', 'not-found'],
		['an output that is no JSON', {exitCode: 0, stdout: 'Denied!\n'}],
		['an answer for another program', {exitCode: 0, stdout: '{"verdict":"no"}'}],
	])('%s fails in the documented way', (name, end) => {
		const isJson = name === 'an answer for another program';
		expect(simulated.react(end)).toBe(isJson && simulated.program === 'cursor' ? 'its-way' : simulated.onFailure);
	});

	test('every answer is JSON on one line, or nothing', () => {
		for (const decision of decisions) {
			expect(event.answer(decision)).toMatchObject({
				stdout: expect.stringMatching(/^(?:\{[^\n]*\}\n)?$/u) as string,
				exitCode: 0,
				stderr: '',
			});
		}
	});
});

test.each([
	['an object of nobody', {}],
	['the hook of Windsurf', {agent_action_name: 'pre_run_command', tool_info: {command_line: 'ls'}}],
	['the hook of Copilot CLI', {toolName: 'bash', toolArgs: '{"command":"ls"}', cwd: '/'}],
])('%s is not taken for a known program', (_, payload) => {
	expect(callerOf(payload)).toBeUndefined();
});

test.each([
	[
		'a newer VS Code, which writes the names of Claude Code',
		'vscode',
		{timestamp: 'now', session_id: 's', hook_event_name: 'PreToolUse'},
	],
	[
		'Cursor, which runs a hook of Claude Code',
		'cursor',
		{conversation_id: 'c', session_id: 's', hook_event_name: 'PreToolUse'},
	],
	['another event of Claude Code', 'claude-code', {session_id: 's', hook_event_name: 'SessionStart'}],
] as const)('%s is known by its payload', (_, name, payload) => {
	expect(callerOf(payload)?.name).toBe(name);
});

test('Cursor understands the answer to an entry of Claude Code in both shapes', () => {
	const answer = hookPrograms.cursor.events['PreToolUse']?.answer({kind: 'deny', message: 'no'});
	expect(JSON.parse(answer?.stdout ?? '')).toMatchObject({
		permission: 'deny',
		hookSpecificOutput: {permissionDecision: 'deny', permissionDecisionReason: 'no'},
	});
});

test.each([
	['bypassPermissions', 'never-asks'],
	['dontAsk', 'never-asks'],
	['acceptEdits', 'asks'],
	['plan', 'asks'],
])('in the mode %s Claude Code %s', (mode, asking) => {
	const payload = {
		session_id: 's',
		hook_event_name: 'PreToolUse',
		permission_mode: mode,
		tool_name: 'Bash',
		tool_input: {},
	};
	expect(hookPrograms['claude-code'].read(payload)).toMatchObject({kind: 'call', call: {mode: asking}});
});

test.each([
	['claude-code', 'mcp__sluice__mcp__files__read'],
	['codex', 'mcp__sluice__mcp__files__read'],
	['gemini', 'mcp_sluice_mcp__files__read'],
	['vscode', 'mcp_sluice_mcp__files__read'],
	['opencode', 'sluice_mcp__files__read'],
] as const)('%s calls the tools of Sluice by names that are known', (name, tool) => {
	expect(hookPrograms[name].own.test(tool)).toBe(true);
	expect(hookPrograms[name].own.test(`other_${tool}`)).toBe(false);
});
