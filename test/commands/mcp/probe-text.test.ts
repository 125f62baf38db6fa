import {expect, test} from 'vitest';
import {statePaths} from '../../../source/config/read/state-paths.ts';
import {ownPlace} from '../doctor/set-up.ts';
import {serverConfig} from '../../mcp/fixture-servers.ts';
import {answerText, probeJson} from '../../../source/commands/mcp/probe-text.ts';
import {referenceFindings, statusFinding} from '../../../source/commands/doctor/doctor-servers.ts';

const died = {
	state: 'waiting',
	reason: 'The server ended with code 1',
	nextActions: [
		{kind: 'text', text: 'Its log has all of its stderr'},
		{kind: 'try-now', server: 'garden'},
	],
	transport: 'stdio',
	address: 'node garden.js',
	stderr: ['Traceback', 'KeyError: GARDEN_TOKEN'],
	log: '/home/me/.sluice/logs/mcp-stderr/garden.log',
	tools: [],
} as const;

test('a server that died is reported with the end of its stderr and the path of its log', () => {
	expect(answerText({name: 'garden'}, died).split('\n')).toEqual([
		'garden waiting: The server ended with code 1 · Its log has all of its stderr; `sluice mcp test garden` tries now',
		'  │ Traceback',
		'  │ KeyError: GARDEN_TOKEN',
		'  log: /home/me/.sluice/logs/mcp-stderr/garden.log',
	]);
	expect(probeJson({name: 'garden', profile: 'work'}, died)).toMatchObject({
		next_action: 'Its log has all of its stderr; `sluice --profile work mcp test garden` tries now',
		stderr: died.stderr,
		log: died.log,
	});
});

test('the commands of its document are for the state directory that was typed', () => {
	const tried = {name: 'garden', profile: 'work', home: '/h'};
	expect(probeJson(tried, {...died, nextActions: [{kind: 'login', server: 'garden'}]})).toMatchObject({
		next_action: '`sluice --home /h --profile work mcp login garden`',
	});
});

test('a server that answers is reported in one line', () => {
	const report = {state: 'connected', transport: 'stdio', address: '', latencyMs: 12.4, tools: []} as const;
	expect(answerText({name: 'garden'}, report)).toBe('garden answers: stdio, 12 ms, 0 tools');
	expect(probeJson({name: 'garden'}, report)).toMatchObject({stderr: [], log: null});
});

test('doctor names the end of the stderr and the path of the log', () => {
	expect(statusFinding({...died, name: 'garden', nextAction: null, facts: ''}, ownPlace)).toMatchObject({
		level: 'error',
		message: 'The server ended with code 1 │ Traceback │ KeyError: GARDEN_TOKEN',
		remedy: expect.stringContaining('its log: /home/me/.sluice/logs/mcp-stderr/garden.log'),
	});
});

test('doctor names variables of `pass_env` that are not set', () => {
	const transport = {kind: 'stdio', command: 'x', args: [], env: {}, passEnv: ['SET', 'UNSET']} as const;
	const findings = referenceFindings(serverConfig(transport), {
		...ownPlace,
		paths: statePaths({root: '/home/me/.sluice', profile: 'default'}),
		scope: {variables: name => (name === 'SET' ? 'x' : undefined), expand: text => text},
	});
	expect(findings).toMatchObject([
		{
			message: '`pass_env` has UNSET, which is not set',
			remedy: expect.stringMatching(/^Add the line UNSET=… to .*, or remove it from .*pass_env/u),
		},
	]);
});
