import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runSluice, runSluiceJson} from '../helpers/run-sluice.ts';
import {stateDirectory} from '../helpers/sluice.ts';

test('the commands that a message names are for the profile and the state directory of the command', async () => {
	const home = stateDirectory({});
	mkdirSync(join(home, 'profiles', 'work'), {recursive: true, mode: 0o700});
	const stderr = async (...words: readonly string[]) => (await runSluice({home}, ...words)).stderr;
	expect(await stderr('mcp', 'remove', 'nobody')).toContain('`sluice mcp list`');
	expect(await stderr('--profile', 'work', 'mcp', 'remove', 'nobody')).toContain('`sluice --profile work mcp list`');
	expect(await stderr('--profile', 'work', 'cron', 'list')).toContain('`sluice --profile work cron create NAME');
	expect(await stderr('--home', home, 'cron', 'pause', 'x')).toContain(`\`sluice --home ${home} cron list\``);
});

test('so are those in the remedies of the doctor', async () => {
	const home = stateDirectory({});
	const work = join(home, 'profiles', 'work');
	mkdirSync(work, {recursive: true, mode: 0o700});
	const platforms = {webhook: {enabled: true, port: 0}};
	writeFileSync(join(work, 'config.yaml'), JSON.stringify({platforms, gateway: {endpoint: {enabled: false}}}));
	writeFileSync(join(work, 'webhook_subscriptions.json'), '{"a": {"secret": "x", "deliver": "pigeon"}}');
	const findings = await runSluiceJson({home}, '--profile', 'work', 'doctor', '--offline');
	expect(findings).toContainEqual(
		expect.objectContaining({
			check: 'route a',
			remedy: expect.stringContaining('`sluice --profile work webhook remove a`'),
		}),
	);
});

test('a server that is off names the command that enables it, not a key', async () => {
	const home = stateDirectory({mcp_servers: {off: {command: 'x', enabled: false}}});
	expect(await runSluiceJson({home}, 'mcp', 'list')).toMatchObject([{next_action: '`sluice mcp enable off`'}]);
});
