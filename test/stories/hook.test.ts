import {expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {startSluice, stateDirectory} from '../helpers/sluice.ts';
import {simulated} from '../simulators/hook-programs.ts';

const program = simulated('claude-code');
const input = JSON.stringify(program.payload({input: {command: 'npm publish'}}));

type Waiting = {readonly id: string; readonly arguments_hash: string};

test('a program asks by its hook: a person allows the command from another terminal, and a killed hook takes its card along', async () => {
	const at = {home: stateDirectory({approvals: {unattended: 'hold'}})};
	const gateway = startSluice(at, 'gateway', 'run');
	await gateway.waitForLine('started, version');
	const hook = startSluice({...at, input}, 'hook', 'claude-code');
	await gateway.waitForLine('asks for hook:claude-code/Bash');
	const [waiting] = (await runSluiceJson(at, 'approvals', 'list')) as Waiting[];
	expect(waiting).toMatchObject({
		server: 'hook:claude-code',
		tool: 'Bash',
		arguments: {command: 'npm publish', 'hook.cwd': '/srv/app'},
	});
	const {id = '', arguments_hash: hash = ''} = waiting ?? {};
	expect(await runSluice(at, 'approvals', 'allow', id, '--scope', 'always', '--hash', hash)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('can only be allowed once, or by a rule') as string,
	});
	expect(await runSluice(at, 'approvals', 'allow', id, '--hash', hash)).toMatchObject({code: 0});
	const end = await hook.end;
	expect(program.react({exitCode: end.code, ...end})).toBe('runs');
	expect(await runSluiceJson(at, 'calls', 'list')).toMatchObject([
		{server: 'hook:claude-code', tool: 'Bash', outcome: 'ok'},
	]);

	const killed = startSluice({...at, input}, 'hook', 'claude-code');
	await expect.poll(() => runSluiceJson(at, 'approvals', 'list')).toHaveLength(1);
	killed.signal('SIGKILL');
	await expect.poll(() => runSluiceJson(at, 'approvals', 'list')).toEqual([]);
	expect((await killed.end).stdout).toBe('');

	const denying = '{"action": "deny", "server": "hook:*", "arguments": {"command": {"glob": "npm publish*"}}}';
	expect(await runSluice(at, 'rules', 'rehearse', '--rule', denying)).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/hook:claude-code[^\n]*deny/u) as string,
	});
}, 60_000);
