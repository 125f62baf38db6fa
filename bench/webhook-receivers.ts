import {type ChildProcess, spawn, spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {freePort} from '../test/helpers/free-port.ts';
import {type PostgresServer} from '../test/helpers/postgres-server.ts';
import {openPseudoTerminal} from './pseudo-terminal.ts';

/** Something that takes webhooks. */
export type Receiver = {
	readonly name: string;
	readonly pid: number;
	readonly port: number;
	readonly end: () => Promise<void>;
};

/** The settings that every receiver and the sender share. */
export const secret = 'a secret only this bench knows';

const program = new URL('../dist/bin.js', import.meta.url).pathname;
const largestBodyBytes = 1_048_576;

/** A route with all that a body passes: event list, filters of every kind, template. */
export const benchRoute = {
	events: ['pull_request', 'push'],
	filters: [
		{field: 'action', in: ['opened', 'reopened', 'synchronize']},
		{
			any: [
				{field: 'pull_request.title', regex: '(?i)barrel'},
				{field: 'number', exists: false},
			],
		},
		{not: {field: 'pull_request.user.login', equals: 'a-bot'}},
	],
	prompt: 'Look at {pull_request.title} of {pull_request.user.login} in {repository.full_name}: {pull_request.labels}',
};

/** Beside the route: signature, rate limit, deduplication, journal, log, and a window that draws. */
export const configuration = (port: number) => ({
	agent: {max_queued_runs: 1_000_000},
	platforms: {
		webhook: {
			enabled: true,
			host: '127.0.0.1',
			port,
			secret,
			rate_limit: 100_000_000,
			max_body_bytes: largestBodyBytes,
			routes: {bench: benchRoute},
		},
	},
});

/** The built gateway with its dashboard in a pseudo terminal, showing the stream of events; its journal is in a file, or in the database. */
export async function startSluice(directory: string, database?: Pick<PostgresServer, 'url'>): Promise<Receiver> {
	const port = await freePort();
	const home = join(directory, `home-${port}`);
	mkdirSync(home, {recursive: true});
	const journal = database && {journal: {url: database.url}};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({...configuration(port), ...journal}));
	const terminal = openPseudoTerminal([program], {HOME: home, SLUICE_HOME: home});
	await terminal.firstBytesWith('sluice');
	await untilListening(port);
	// The dashboard takes no keys in its first moments.
	await wait(1000);
	await terminal.press('3', '3 Events ·');
	return {name: database ? 'sluice, PostgreSQL' : 'sluice', pid: terminal.pid, port, end: terminal.end};
}

/** The same HMAC and JSON.parse on a bare fastify, which keeps nothing, answers in `batches`, or keeps one row of each event in a file. */
export async function startBare(way?: 'batches' | {readonly file: string}): Promise<Receiver> {
	const script = new URL('bare-receiver.ts', import.meta.url).pathname;
	const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];
	const child = spawn(
		process.execPath,
		[...flags, script, secret, String(largestBodyBytes), typeof way === 'object' ? way.file : (way ?? '')],
		{
			env: {...process.env, NODE_ENV: 'production'},
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	const port = await new Promise<number>(resolve => {
		child.stdout.once('data', (text: Buffer) => resolve(Number(text.toString())));
	});
	const kept = way === 'batches' ? 'fastify, batches' : 'fastify, one row';
	return {name: way === undefined ? 'bare fastify' : kept, pid: child.pid ?? 0, port, end: () => ended(child)};
}

/** Debian's `webhook`, when it is installed: the same check as a rule, and `true` as the command it cannot do without. */
export async function startDebianWebhook(directory: string): Promise<Receiver | undefined> {
	if (spawnSync('webhook', ['-version']).error) {
		return undefined;
	}

	const port = await freePort();
	const hooks = join(directory, 'hooks.json');
	const rule = {
		match: {type: 'payload-hmac-sha256', secret, parameter: {source: 'header', name: 'X-Hub-Signature-256'}},
	};
	writeFileSync(
		hooks,
		JSON.stringify([
			{id: 'bench', 'execute-command': '/bin/true', 'success-http-response-code': 202, 'trigger-rule': rule},
		]),
	);
	const args = ['-hooks', hooks, '-ip', '127.0.0.1', '-port', String(port), '-urlprefix', 'webhooks'];
	const child = spawn('webhook', args, {stdio: 'ignore'});
	await untilListening(port);
	return {name: "Debian's webhook", pid: child.pid ?? 0, port, end: () => ended(child)};
}

async function ended(child: ChildProcess): Promise<void> {
	const end = new Promise(resolve => child.once('close', resolve));
	child.kill('SIGTERM');
	await end;
}

/** Waits until the port takes a connection; gives up after twenty seconds. */
export async function untilListening(port: number): Promise<void> {
	for (let attempt = 0; attempt < 4000; attempt++) {
		const isOpen = await new Promise<boolean>(resolve => {
			const socket = connect(port, '127.0.0.1', () => {
				socket.destroy();
				resolve(true);
			});
			socket.on('error', () => resolve(false));
		});
		if (isOpen) {
			return;
		}

		await wait(5);
	}

	throw new Error('The receiver never came up');
}
