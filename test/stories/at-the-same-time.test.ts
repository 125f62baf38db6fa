import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {readState, sluice, stateDirectory} from '../helpers/sluice.ts';

const names = ['a', 'b', 'c', 'd'];

test('commands that write the same files at the same time lose nothing', async () => {
	const home = stateDirectory('# mine\n', 'KEPT=1\n');
	const add = (name: string) =>
		sluice({home}, 'mcp', 'add', name, '--no-probe', '--env', `KEY=secret-of-${name}`, '--', 'true');
	const [subscribed, added] = await Promise.all([
		Promise.all(names.map(name => sluice({home}, 'webhook', 'subscribe', name))),
		Promise.all(names.map(add)),
	]);
	expect(subscribed.map(({code, stderr}) => [code, stderr.includes('config_changed')])).toEqual(
		names.map(() => [0, false]),
	);
	expect(Object.keys(JSON.parse(readState(home, 'webhook_subscriptions.json'))).toSorted()).toEqual(names);

	// Who read the file before another one wrote it is refused; who succeeded is in both files.
	const succeeded = names.filter((_, index) => added[index]?.code === 0);
	expect(succeeded.length).toBeGreaterThan(0);
	for (const {code, stderr} of added.filter(end => end.code !== 0)) {
		expect([code, stderr]).toEqual([1, expect.stringMatching(/was changed meanwhile; nothing was written/u)]);
	}

	const [config, env] = [readState(home, 'config.yaml'), readState(home, '.env')];
	expect(names.filter(name => config.includes(`\n  ${name}:\n`))).toEqual(succeeded);
	expect(names.filter(name => env.includes(`secret-of-${name}`))).toEqual(succeeded);
	expect([config.startsWith('# mine\n'), env.startsWith('KEPT=1\n')]).toEqual([true, true]);
	expect(readdirSync(home).filter(name => name.includes('.lock'))).toEqual([]);
}, 60_000);
