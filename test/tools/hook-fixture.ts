import {expect} from 'vitest';
import {type Rule} from '../../source/approvals/rule.ts';
import {type HookQuestion} from '../../source/tools/decide-hook.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {openCallFixture} from './call-fixture.ts';

/** A shell command that Claude Code is about to ask about. */
export const question: HookQuestion = {
	program: 'claude-code',
	via: 'claude-code',
	waits: 'person',
	mode: 'asks',
	tool: 'Bash',
	input: {command: 'npm test', description: 'Run the tests'},
	cwd: '/srv/app',
	session: 'abc',
	origin: {kind: 'endpoint', client: 'Claude Code', claim: 'claude-code'},
	address: 'asked by sluice hook claude-code',
};

/** A rule for one of its tools. */
export function ruleOf(action: Rule['action'], members: Partial<Rule> = {}): Rule {
	return {
		id: `rule-${action}`,
		action,
		server: 'hook:*',
		tool: 'Bash',
		arguments: {},
		ignore: [],
		source: 'config',
		...members,
	};
}

/** Decisions about calls of programs, with a person at a console. */
export function openHookFixture(options: Parameters<typeof openCallFixture>[0] = {}) {
	const fixture = openCallFixture(options);
	const ask = (change: Partial<HookQuestion> = {}, signal = neverAborted()) =>
		fixture.decideHook({...question, ...change}, {signal});
	const card = () => fixture.approvals.pending()[0] ?? expect.unreachable('nobody is asked');
	return {...fixture, ask, card};
}
