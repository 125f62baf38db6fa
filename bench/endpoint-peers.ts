import {type ChildProcess, execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {freePort} from '../test/helpers/free-port.ts';
import {flags} from './call-sides.ts';
import {openPseudoTerminal} from './pseudo-terminal.ts';
import {untilListening} from './webhook-receivers.ts';

/** Something that answers `echo`, and how a client of each era reaches it. */
export type Peer = {
	readonly name: string;
	readonly role: 'sluice' | 'peer' | 'reference';
	/** The gateway's process; undefined where the client starts it. */
	readonly pid?: number;
	readonly ways: ReadonlyArray<{readonly era: Era; readonly caller: CallerKind; readonly address: string}>;
	readonly token?: string;
	readonly end: () => Promise<void>;
};

/** The way of a client to its server (`endpoint-caller.ts`). */
export type CallerKind = 'first' | 'first-sse' | 'first-stdio' | 'second';

export type Era = 'older era' | '2026 era';

const root = join(import.meta.dirname, '..');
const token = 'a-token-only-this-bench-knows';
const cache = join(root, 'node_modules', '.cache', 'endpoint-peers');
const versions = {'mcp-hub': '4.2.1', supergateway: '4.0.0', 'mcp-proxy': '6.7.19'} as const;
const programs = {
	'mcp-hub': 'dist/cli.js',
	supergateway: 'dist/index.js',
	'mcp-proxy': 'dist/bin/mcp-proxy.mjs',
} as const;

type PeerName = keyof typeof versions;

/** The one server behind every gateway. */
const serverProgram = join(import.meta.dirname, 'endpoint-server.ts');
const stdioServer = [serverProgram, 'stdio'] as const;

/** Two of the peers listen on every address; the bench stays on this machine. */
const onlyLoopback = `data:text/javascript,${encodeURIComponent(`
	import {Server} from 'node:net';
	const {listen} = Server.prototype;
	Server.prototype.listen = function (port, ...rest) {
		return typeof port === 'number' && typeof rest[0] !== 'string'
			? listen.call(this, port, '127.0.0.1', ...rest)
			: listen.call(this, port, ...rest);
	};
`)}`;

/** Installs the peers beside the repository's packages, once; false when they cannot be had. */
export function installPeers(): boolean {
	mkdirSync(cache, {recursive: true});
	const isThere = Object.entries(versions).every(([name, version]) => installedVersion(name) === version);
	if (isThere) {
		return true;
	}

	writeFileSync(join(cache, 'package.json'), JSON.stringify({private: true, dependencies: versions}));
	console.log(
		`Installing ${Object.entries(versions)
			.map(pair => pair.join(' '))
			.join(', ')} …`,
	);
	try {
		execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
			cwd: cache,
			stdio: ['ignore', 'ignore', 'inherit'],
			timeout: 120_000,
		});
		return true;
	} catch {
		return false;
	}
}

function installedVersion(name: string): string | undefined {
	const file = join(cache, 'node_modules', name, 'package.json');
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as {version: string}).version : undefined;
}

/** The build of Sluice that runs, its name, and its flags of Node.js. */
type SluiceBuild = {readonly name: string; readonly dist: string; readonly flags: readonly string[]};

/** A built gateway with its dashboard in a pseudo terminal: journal, policy, log and window on. The first one is judged. */
export async function startSluice(directory: string, build: SluiceBuild): Promise<Peer> {
	const port = await freePort();
	const home = join(directory, build.name);
	mkdirSync(home);
	const server = {command: process.execPath, args: stdioServer, supports_parallel_tool_calls: true};
	writeFileSync(
		join(home, 'config.yaml'),
		JSON.stringify({
			gateway: {endpoint: {enabled: true, host: '127.0.0.1', port, token}},
			mcp_servers: {peer: server},
		}),
	);
	const program = join(root, build.dist, 'bin.js');
	const terminal = openPseudoTerminal([...build.flags, program], {HOME: home, SLUICE_HOME: home});
	await terminal.firstBytesWith('sluice');
	await untilListening(port);
	// The dashboard takes no keys in its first moments.
	await wait(1000);
	await terminal.press('3', '3 Events ·');
	const address = `http://127.0.0.1:${port}/mcp`;
	return {
		name: build.name,
		role: build.dist === 'dist' ? 'sluice' : 'reference',
		pid: terminal.pid,
		token,
		ways: [
			{era: 'older era', caller: 'first', address},
			{era: '2026 era', caller: 'second', address},
		],
		end: terminal.end,
	};
}

/** Starts one of the other gateways as its manual says, with its defaults; mcp-hub answers older clients over its event stream alone. */
export async function startPeer(name: PeerName, directory: string): Promise<Peer> {
	const port = await freePort();
	const home = join(directory, name);
	mkdirSync(home);
	const list = join(home, 'servers.json');
	writeFileSync(list, JSON.stringify({mcpServers: {peer: {command: process.execPath, args: stdioServer}}}));
	const args: Readonly<Record<PeerName, readonly string[]>> = {
		'mcp-hub': ['--port', `${port}`, '--config', list],
		supergateway: [
			'--stdio',
			[process.execPath, ...stdioServer].join(' '),
			'--outputTransport=streamableHttp',
			'--stateful',
			`--port=${port}`,
			'--logLevel=none',
		],
		'mcp-proxy': ['--port', `${port}`, '--host', '127.0.0.1', '--server', 'stream', process.execPath, ...stdioServer],
	};
	const script = join(cache, 'node_modules', name, programs[name]);
	const child = spawn(process.execPath, [...flags, '--import', onlyLoopback, script, ...args[name]], {
		cwd: home,
		env: {PATH: process.env['PATH'], HOME: home},
		stdio: 'ignore',
	});
	await untilListening(port);
	const address = `http://127.0.0.1:${port}/mcp`;
	const older = {era: 'older era', caller: name === 'mcp-hub' ? 'first-sse' : 'first', address} as const;
	const newer = {era: '2026 era', caller: 'second', address} as const;
	return {
		name: `${name} ${versions[name]}`,
		role: 'peer',
		pid: child.pid ?? 0,
		ways: name === 'mcp-proxy' ? [older, newer] : [older],
		end: () => ended(child),
	};
}

/** `echo` over HTTP with nothing between, on the SDKs or with as little as it takes. */
export async function startHttp(kind: 'sdk' | 'floor'): Promise<Peer> {
	const child = spawn(process.execPath, [...flags, serverProgram, kind], {stdio: ['ignore', 'pipe', 'inherit']});
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	const base = `http://127.0.0.1:${line.toString().trim()}`;
	return {
		name: kind === 'sdk' ? 'server over HTTP' : 'floor',
		role: 'reference',
		pid: child.pid ?? 0,
		ways: [
			{era: 'older era', caller: 'first', address: `${base}/first`},
			{era: '2026 era', caller: 'second', address: `${base}/second`},
		],
		end: () => ended(child),
	};
}

/** The server over stdio, which its client starts. */
export const bareStdio: Peer = {
	name: 'server over stdio',
	role: 'reference',
	ways: [{era: 'older era', caller: 'first-stdio', address: serverProgram}],
	end: () => Promise.resolve(),
};

async function ended(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) {
		return;
	}

	const end = once(child, 'exit');
	child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
	await end;
	clearTimeout(timer);
}
