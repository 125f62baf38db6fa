import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readState, sluice, stateDirectory} from '../helpers/sluice.ts';

/** More of them than processors. */
const names = ['a', 'b', 'c'];

/** One command for each name, all at once; none may fail. */
async function race(home: string, line: (name: string) => readonly string[]): Promise<void> {
	const ends = await Promise.all(names.map(name => sluice({home}, ...line(name))));
	expect(ends.map(({code, stderr}) => (code === 0 ? 0 : stderr))).toEqual(names.map(() => 0));
}

test('commands that write the same files at the same time lose nothing', async () => {
	const home = stateDirectory('# mine\nplatforms: {webhook: {enabled: true}}\n', 'KEPT=1\n');
	const rule = {server: 's', fingerprint: '', definition: {}, state: 'valid', rememberedAt: 1};
	const rules = ['kept', ...names].map(id => ({...rule, id, tool: id}));
	writeFileSync(join(home, 'approval-rules.json'), JSON.stringify({rules}));

	await race(home, name => ['webhook', 'subscribe', name]);
	expect(Object.keys(JSON.parse(readState(home, 'webhook_subscriptions.json'))).toSorted()).toEqual(names);

	await race(home, name => ['cron', 'create', name, '--schedule', '1h', '--prompt', 'x']);
	const {jobs}: {jobs: {name: string}[]} = JSON.parse(readState(home, 'cron/jobs.json'));
	expect(jobs.map(({name}) => name).toSorted()).toEqual(names);

	await race(home, name => ['approvals', 'rules', 'revoke', name]);
	const kept: typeof jobs = JSON.parse(readState(home, 'approval-rules.json')).rules;
	expect(kept).toEqual([expect.objectContaining({id: 'kept'})]);

	// All of them want the same variable, so all but one get another name for it.
	await race(home, name => ['mcp', 'add', name, '--no-probe', '--env', `API_KEY=secret-of-${name}`, '--', 'true']);
	const [config, env] = [readState(home, 'config.yaml'), readState(home, '.env')];
	expect(names.filter(name => config.includes(`\n  ${name}:\n`))).toEqual(names);
	expect(names.filter(name => env.includes(`=secret-of-${name}\n`))).toEqual(names);
	expect(new Set(env.match(/^\w+(?==)/gmu)).size).toBe(names.length + 1);
	expect([config.startsWith('# mine\n'), env.startsWith('KEPT=1\n')]).toEqual([true, true]);

	await race(home, name => ['mcp', 'remove', name, '--yes']);
	expect([readState(home, '.env'), readState(home, 'config.yaml')]).toEqual([
		'KEPT=1\n',
		expect.not.stringContaining('command'),
	]);
	expect(readdirSync(home).filter(name => name.includes('.lock'))).toEqual([]);
}, 60_000);
