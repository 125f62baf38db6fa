import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {newPostgresPlace} from '../../helpers/journal-engines.ts';
import {administer, hasPostgres} from '../../helpers/postgres-server.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {startSluice, stateDirectory, writeConfig} from '../../helpers/sluice.ts';

/** A configuration with these routes on a free port, open to anyone on loopback. */
const configWith = (routes: object, changes: object = {}) => ({
	platforms: {webhook: {enabled: true, port: 0, secret: 'INSECURE_NO_AUTH', routes, ...changes}},
});

async function start(home: string, env: Readonly<Record<string, string>> = {}) {
	const gateway = startSluice({home, env}, 'gateway', 'run', '--log', 'json');
	const started = JSON.parse(await gateway.waitForLine('"gateway.started"'));
	const post = async (route: string, body: object) => {
		const response = await fetch(`${started.webhook_url}/webhooks/${route}`, {
			method: 'POST',
			body: JSON.stringify(body),
		});
		return JSON.parse(await response.text());
	};
	return {...gateway, post};
}

describe('a burst that a hard kill interrupts', () => {
	const coalesce = {key: 'pr', window_seconds: 3600, max_wait_seconds: 3600};

	test.each([
		['begins its run when its route waits no more', configWith({r: {prompt: '{title}'}})],
		['begins its run when webhooks are off', configWith({}, {enabled: false})],
	])('%s', async (_when, next) => {
		const home = stateDirectory(configWith({r: {prompt: '{title}', coalesce}}));
		const first = await start(home);
		expect(await first.post('r', {pr: 1, title: 'one'})).toMatchObject({status: 'coalesced'});
		expect(await first.post('r', {pr: 1, title: 'two'})).toMatchObject({status: 'coalesced'});
		first.signal('SIGKILL');
		await first.end;
		writeConfig(home, next);
		const second = startSluice({home}, 'gateway', 'run', '--log', 'json');
		const line = JSON.parse(await second.waitForLine('"inbox"'));
		expect(line).toMatchObject({type: 'run.state', route: 'r'});
	});

	test('and a stop queues it for the next start', async () => {
		const home = stateDirectory(configWith({r: {prompt: '{title}', coalesce}}));
		const gateway = await start(home);
		await gateway.post('r', {pr: 1, title: 'one'});
		gateway.signal('SIGTERM');
		const {code, stdout} = await gateway.end;
		expect([code, stdout.includes('"run.state"')]).toEqual([0, false]);
		const second = startSluice({home}, 'gateway', 'run', '--log', 'json');
		const line = JSON.parse(await second.waitForLine('"inbox"'));
		expect(line).toMatchObject({type: 'run.state', route: 'r'});
	});
});

test.skipIf(!hasPostgres)('a burst is closed by no stop and no gateway without webhooks before it is due', async () => {
	const {database} = await newPostgresPlace();
	const sql = (text: string) => administer(database.url, `SET search_path = ${database.schema}`, text);
	const open = (node: string, webhooks: object) =>
		runGateway(
			JSON.stringify({
				journal: {url: database.url, schema: database.schema, node, pool: 2},
				gateway: {endpoint: {enabled: false}},
				metrics: {enabled: false},
				...webhooks,
			}),
		);
	const coalesce = {key: 'pr', window_seconds: 3600, max_wait_seconds: 3600};
	const first = await open('web-1', configWith({r: {prompt: '{title}', coalesce}}));
	const sent = await fetch(`${first.gateway.webhookUrl()}/webhooks/r`, {method: 'POST', body: '{"pr":1}'});
	expect(sent.status).toBe(202);
	const second = await open('web-2', {});
	await first.gateway.stop('the test said so');
	expect(await sql('SELECT route FROM windows')).toEqual([{route: 'r'}]);
	await second.gateway.stop('the test said so');
	expect(await sql('SELECT route FROM windows')).toEqual([{route: 'r'}]);
	await sql('UPDATE windows SET due_at = 0');
	await open('web-2', {});
	expect(await sql('SELECT route FROM windows')).toEqual([]);
	expect(await sql('SELECT count(*) FROM runs')).toEqual([{count: '1'}]);
});

test('scripts lie in scripts/, Python is SLUICE_PYTHON, and no secret reaches them', async () => {
	const home = stateDirectory(configWith({r: {script: 'a.py'}}), 'MY_SECRET=hidden\n');
	mkdirSync(join(home, 'scripts'), {recursive: true});
	writeFileSync(join(home, 'scripts', 'a.py'), 'not python');
	const python = join(home, 'my python');
	writeFileSync(python, `#!/bin/sh\nenv > "${home}/seen"; echo "$1" > "${home}/ran"; echo '{}'\n`);
	chmodSync(python, 0o755);
	const gateway = await start(home, {SLUICE_PYTHON: python, API_TOKEN: 'hidden too'});
	expect(await gateway.post('r', {})).toMatchObject({status: 'accepted'});
	expect(readFileSync(join(home, 'ran'), 'utf8')).toContain(join('scripts', 'a.py'));
	expect(readFileSync(join(home, 'seen'), 'utf8')).not.toContain('hidden');
});

test('a script does not outlive a gateway that is killed', async () => {
	const home = stateDirectory(configWith({r: {script: 'a.sh'}}));
	mkdirSync(join(home, 'scripts'), {recursive: true});
	// Changes arrive once the watcher knows of it.
	writeFileSync(join(home, 'scripts', 'a.sh'), 'cat > sent; echo $$ > up; exec sleep 600');
	const gateway = await start(home);
	const answer = gateway.post('r', {}).catch(() => undefined);
	const up = join(home, 'scripts', 'up');
	await expect.poll(() => existsSync(up) && readFileSync(up, 'utf8')).toMatch(/\d\n/u);
	const id = Number(readFileSync(up, 'utf8'));
	expect(isAlive(id)).toBe(true);
	gateway.signal('SIGKILL');
	await answer;
	await expect.poll(() => isAlive(id), {timeout: 25_000}).toBe(false);
});

function isAlive(id: number): boolean {
	try {
		// A zombie whose parent has not asked for it is not alive either.
		return process.kill(id, 0) && !/^State:\s+Z/mu.test(readFileSync(`/proc/${id}/status`, 'utf8'));
	} catch {
		return false;
	}
}
