import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {expect, test} from 'vitest';
import {reloadJson} from '../../../source/control/wire.ts';
import {type RunningGateway, runGateway} from '../../helpers/running-gateway.ts';

const routes = (lines: string, settings = '') =>
	`platforms:\n  webhook:\n    enabled: true\n    port: 0\n${settings}    routes:\n${lines}`;
const unchanged = (...names: readonly string[]) => ({added: [], removed: [], changed: [], unchanged: names});

/** The summaries of the reloads after a change: a saved file is taken over by itself too, and the change is in the first of them. */
async function summariesAfter({gateway, events}: RunningGateway, change: () => void): Promise<readonly string[]> {
	const before = events.length;
	change();
	await gateway.reload();
	return events.slice(before).flatMap(event => (event.type === 'log' && event.area === 'reload' ? [event.text] : []));
}

function writeJobs({paths}: RunningGateway, jobs: readonly object[] | string): void {
	mkdirSync(dirname(paths.cronJobs), {recursive: true});
	writeFileSync(paths.cronJobs, typeof jobs === 'string' ? jobs : JSON.stringify({jobs}));
}

const job = (id: string, more: object = {}) => ({
	id: id.repeat(12),
	name: `job ${id}`,
	prompt: 'Count',
	schedule: {kind: 'interval', seconds: 86_400},
	deliver: 'log',
	deliver_extra: {},
	skills: [],
	enabled: true,
	paused: false,
	next_run_at: Date.now() + 86_400_000,
	...more,
});

test('routes and platforms go by difference, wherever they stand in the file', async () => {
	const running = await runGateway(
		routes(
			'      one: {secret: first-secret}\n      two: {secret: first-secret}\n      three: {secret: first-secret}\n',
		) + '  telegram: {token: a}\n  slack: {token: b}\n',
	);
	const changed =
		'# A line more.\n' +
		routes(
			'      two: {secret: second-secret}\n      four: {secret: first-secret}\n      three: {secret: first-secret}\n',
		) +
		'  telegram: {token: c}\n  discord: {enabled: false}\n';
	expect(await summariesAfter(running, () => running.writeConfig(changed))).toContain(
		'Reloaded: routes added four · removed one · changed two · 1 unchanged; ' +
			'platforms added discord · removed slack · changed telegram · 1 unchanged',
	);
	const summary = await running.gateway.reload();
	expect(summary).toMatchObject({
		routes: unchanged('two', 'four', 'three'),
		platforms: unchanged('webhook', 'telegram', 'discord'),
		jobs: unchanged(),
	});
	expect(reloadJson.parse(summary)).toEqual(summary);
});

test('a secret that changed in `.env` is a change of the routes and platforms that use it', async () => {
	const running = await runGateway(
		routes('      uses: {secret: "${HOOK}"}\n      other: {secret: fixed-secret}\n') +
			'  telegram: {token: "${BOT}"}\n',
	);
	const writeSecrets = (value: string) =>
		writeFileSync(running.paths.env, `HOOK=${value}-of-routes\nBOT=${value}-of-bots\n`);
	await summariesAfter(running, () => writeSecrets('first'));
	expect(await summariesAfter(running, () => writeSecrets('second'))).toEqual([
		'Reloaded: routes changed uses · 1 unchanged; platforms changed telegram · 1 unchanged',
	]);
});

test('routes that are refused leave the ones in force unchanged', async () => {
	const running = await runGateway(routes('      one: {secret: first-secret}\n'));
	const refused = routes('      one: {}\n      two: {secret: first-secret}\n');
	const untouched = await summariesAfter(running, () => running.writeConfig(refused));
	expect(new Set(untouched)).toEqual(new Set(['Reloaded, nothing changed']));
	const fixed = routes('      one: {secret: second-secret}\n      two: {secret: first-secret}\n');
	expect(await summariesAfter(running, () => running.writeConfig(fixed))).toContain(
		'Reloaded: routes added two · changed one · 0 unchanged',
	);
});

test('a setting that changed is named by its key, and a line that only moved is no change', async () => {
	const running = await runGateway('agent: {max_steps: 5}\napprovals:\n  rules:\n    - {action: deny, tool: "rm*"}\n');
	const moved = '# A line more.\nagent: {max_steps: 5}\napprovals:\n  rules:\n    - {action: deny, tool: "rm*"}\n';
	const untouched = await summariesAfter(running, () => running.writeConfig(moved));
	expect(new Set(untouched)).toEqual(new Set(['Reloaded, nothing changed']));
	const changed = moved.replace('5', '6').replace('rm*', 'drop*');
	expect(await summariesAfter(running, () => running.writeConfig(changed))).toContain(
		'Reloaded: settings changed approvals, agent',
	);
});

test('jobs that were edited by hand are taken over at once, and runs of a job are no change', async () => {
	const running = await runGateway('');
	const {gateway, events} = running;
	writeJobs(running, [job('a'), job('b')]);
	expect(await gateway.reload()).toMatchObject({jobs: {added: ['job a', 'job b'], unchanged: []}});
	expect(events.filter(event => event.type === 'cron.job')).toMatchObject([{name: 'job a'}, {name: 'job b'}]);

	writeJobs(running, [job('a', {last_run_at: 1, last_status: 'finished'}), job('b', {paused: true})]);
	expect(await gateway.reload()).toMatchObject({jobs: {changed: ['job b'], unchanged: ['job a']}});

	writeJobs(running, '{');
	expect(await gateway.reload()).toMatchObject({jobs: unchanged('job a', 'job b')});
	expect(events).toContainEqual(expect.objectContaining({type: 'log', level: 'error', area: 'cron'}));

	writeJobs(running, [job('a')]);
	expect(await gateway.reload()).toMatchObject({jobs: {removed: ['job b'], unchanged: ['job a']}});
	expect(events).toContainEqual(expect.objectContaining({type: 'cron.removed', id: 'b'.repeat(12)}));
});

test('a config.yaml that cannot be used is not called reloaded', async () => {
	const running = await runGateway('agent: {max_steps: 5}\n');
	const untouched = await summariesAfter(running, () => running.writeConfig('agent: ['));
	expect(new Set(untouched)).toEqual(new Set(['Nothing was reloaded: config.yaml cannot be used']));
	expect(await summariesAfter(running, () => running.writeConfig('agent: {max_steps: 6}\n'))).toContain(
		'Reloaded: settings changed agent',
	);
});
