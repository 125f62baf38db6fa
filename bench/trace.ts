/*
`npm run trace`: the source files whose functions run for one webhook, one tool call and one key (docs/performance.md, Files of one request). The program is
built with a module for each file; each thing is done once before the one that counts, which loads and compiles. `--files` prints their names.
*/
import {type ChildProcess, spawn} from 'node:child_process';
import {createHmac} from 'node:crypto';
import {once} from 'node:events';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {stripTypeScriptTypes} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';
import {build} from 'rolldown';
import config from '../build/rolldown.config.js';
import {freePort} from '../test/helpers/free-port.ts';
import {openPseudoTerminal} from './pseudo-terminal.ts';
import {makePayload} from './webhook-payload.ts';
import {configuration, secret, untilListening} from './webhook-receivers.ts';

const root = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'sluice-trace-'));
const traceFile = join(directory, 'trace.json');
const probe = join(directory, 'trace-probe.mjs');
const program = join(directory, 'source', 'bin.js');
const garden = join(directory, 'source', 'demo', 'demo-stdio-server.js');
const token = 'a-token-only-this-trace-knows';
const flags = ['--disable-warning=ExperimentalWarning', `--import=${probe}`];
/** The effects of a request end in that time, and begin no earlier. */
const quietMilliseconds = 1000;
/** A probe that answers nothing ends the trace. */
const probeMilliseconds = 10_000;

/** A gateway that is followed. */
type Traced = {
	readonly pid: number;
	readonly webhookPort: number;
	readonly endpointPort: number;
};

/** A module for each source file beside the packages as they are installed. */
async function buildModules(): Promise<void> {
	await build({
		...config,
		input: Object.values(config.input ?? {}),
		plugins: [],
		external: /^[^./]/u,
		output: {dir: directory, format: 'esm', preserveModules: true, preserveModulesRoot: root},
	});
	symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
	copyFileSync(join(root, 'package.json'), join(directory, 'package.json'));
	writeFileSync(probe, stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'trace-probe.ts'), 'utf8')));
}

/** A state directory with a route, an endpoint and a tool server. */
async function stateDirectory(trust: 'full' | 'untrusted') {
	const [webhookPort, endpointPort] = [await freePort(), await freePort()];
	const home = join(directory, `home-${trust}`);
	mkdirSync(home);
	const servers = {garden: {command: process.execPath, args: [garden], trust}};
	const gateway = {endpoint: {port: endpointPort, token}};
	writeFileSync(
		join(home, 'config.yaml'),
		JSON.stringify({...configuration(webhookPort), gateway, mcp_servers: servers, approvals: {unattended: 'hold'}}),
	);
	return {webhookPort, endpointPort, environment: {HOME: home, SLUICE_HOME: home, TRACE_FILE: traceFile}};
}

/** The source files whose functions have run since the last time. */
async function takeFiles({pid}: Traced): Promise<readonly string[]> {
	rmSync(traceFile, {force: true});
	process.kill(pid, 'SIGUSR2');
	const until = performance.now() + probeMilliseconds;
	while (!existsSync(traceFile)) {
		if (performance.now() > until) {
			throw new Error('The gateway does not say what ran');
		}

		await wait(20);
	}

	const source = pathToFileURL(join(directory, 'source', '/')).href;
	const programs = JSON.parse(readFileSync(traceFile, 'utf8')) as readonly string[];
	return programs.flatMap(url => (url.startsWith(source) ? [url.slice(source.length)] : [])).sort();
}

type Step = {
	/** Before each time; it is not traced. */
	readonly prepare?: () => Promise<void>;
	readonly act: () => Promise<void>;
};

/** Does something once, and prints the files of the second time. */
async function trace(title: string, traced: Traced, {prepare, act}: Step): Promise<void> {
	await prepare?.();
	await act();
	await wait(quietMilliseconds);
	await prepare?.();
	await wait(quietMilliseconds);
	await takeFiles(traced);
	await wait(quietMilliseconds);
	const idle = await takeFiles(traced);
	await act();
	await wait(quietMilliseconds);
	const files = await takeFiles(traced);
	console.log(`${title}: ${files.length} source files; ${idle.length} in as long without it`);
	if (process.argv.includes('--files')) {
		console.log(files.map(file => `  ${file}\n`).join(''));
	}
}

let deliveries = 0;

async function sendWebhook({webhookPort}: Traced): Promise<void> {
	const body = makePayload('1 KB');
	const answer = await fetch(`http://127.0.0.1:${webhookPort}/webhooks/bench`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'x-github-event': 'pull_request',
			'x-github-delivery': `trace-${deliveries++}`,
			'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
		},
		body,
	});
	expectText(await answer.text(), answer.status === 202);
}

/** Calls a tool of the newer era of the protocol: a request without a session. */
async function callTool({endpointPort}: Traced): Promise<string> {
	const [version, name] = ['2026-07-28', 'mcp__garden__add_task'];
	const meta = {
		'io.modelcontextprotocol/protocolVersion': version,
		'io.modelcontextprotocol/clientInfo': {name: 'trace', version: '1.0.0'},
		'io.modelcontextprotocol/clientCapabilities': {},
	};
	const answer = await fetch(`http://127.0.0.1:${endpointPort}/mcp`, {
		method: 'POST',
		headers: {
			accept: 'application/json, text/event-stream',
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
			'mcp-protocol-version': version,
			'mcp-method': 'tools/call',
			'mcp-name': name,
		},
		body: JSON.stringify({
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: {name, arguments: {title: 'Mow the lawn'}, _meta: meta},
		}),
	});
	return answer.text();
}

function expectText(text: string, isExpected: boolean): void {
	if (!isExpected) {
		throw new Error(`An answer that was not expected: ${text.slice(0, 500)}`);
	}
}

const isResult = (text: string) => text.includes('"result"') && !text.includes('"isError":true');

/** Waits until the tool server takes calls. */
async function untilCalled(traced: Traced): Promise<void> {
	for (let attempt = 0; attempt < 100; attempt++) {
		if (isResult(await callTool(traced))) {
			return;
		}

		await wait(100);
	}

	throw new Error('The tool server never took a call');
}

/** A webhook and a call, at a gateway without a window. */
async function traceRequests(): Promise<void> {
	const {environment, ...ports} = await stateDirectory('full');
	const child: ChildProcess = spawn(process.execPath, [...flags, program, 'gateway', 'run'], {
		env: {PATH: process.env['PATH'], ...environment},
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const ended = once(child, 'close');
	try {
		await Promise.all([untilListening(ports.webhookPort), untilListening(ports.endpointPort)]);
		const traced = {pid: child.pid ?? 0, ...ports};
		await untilCalled(traced);
		await trace('a webhook, until its run is in the inbox', traced, {act: () => sendWebhook(traced)});
		await trace('a tool call of a client, until its result', traced, {
			act: async () => {
				const text = await callTool(traced);
				expectText(text, isResult(text));
			},
		});
	} finally {
		child.kill('SIGTERM');
		await ended;
	}
}

/** A key that denies a request, in a dashboard with the gateway in its process. */
async function traceKey(): Promise<void> {
	const {environment, ...ports} = await stateDirectory('untrusted');
	const terminal = openPseudoTerminal([...flags, program], environment);
	try {
		await untilListening(ports.endpointPort);
		await terminal.firstBytesWith('connected');
		await terminal.pressUntil('W', 'W Log');
		const traced = {pid: terminal.pid, ...ports};
		let reply = Promise.resolve('');
		await trace('a key that denies a call, until its caller is told', traced, {
			async prepare() {
				const asked = terminal.press('', 'approval waiting');
				reply = callTool(traced);
				await asked;
				await terminal.press('A', 'ready');
			},
			async act() {
				terminal.type('d');
				const text = await reply;
				expectText(text, text.includes('denied'));
			},
		});
	} finally {
		await terminal.end();
	}
}

try {
	await buildModules();
	await traceRequests();
	await traceKey();
} finally {
	rmSync(directory, {recursive: true, force: true});
}
