/*
`npm run bench:memory`: resident memory of the built gateway with its dashboard in a pseudo terminal, beside a server of 3,000 tools and beside one
that sends 20,000 log notifications (docs/performance.md, Memory). What happens in a quarter of an hour is repeated without the pauses: lists that
change, calls, the tools view opened and left, reconnects. `--snapshots <folder>` keeps a heap snapshot of each step.
*/
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {stripTypeScriptTypes} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import * as z from 'zod';
import {statePaths} from '../source/config/read/state-paths.ts';
import {connectControl, type ControlClient} from '../source/control/client.ts';
import {systemClock} from '../source/util/clock.ts';
import {checkLimit} from './figures.ts';
import {residentMegabytes} from './process-usage.ts';
import {openPseudoTerminal, type PseudoTerminal} from './pseudo-terminal.ts';

const snapshotsAt = process.argv.indexOf('--snapshots');
const snapshotFolder = snapshotsAt === -1 ? undefined : process.argv[snapshotsAt + 1];
const limitMegabytes = 250;
const program = new URL('../dist/bin.js', import.meta.url).pathname;
const server = new URL('memory-server.ts', import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
// As JavaScript: in the gateway, what strips types would take more memory than the probe shows it.
const probe = join(directory, 'memory-probe.mjs');
writeFileSync(probe, stripTypeScriptTypes(readFileSync(new URL('memory-probe.ts', import.meta.url), 'utf8')));
const {signal} = new AbortController();
const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

const splitSchema = z.object({
	heapTotal: z.number(),
	heapUsed: z.number(),
	external: z.number(),
	arrayBuffers: z.number(),
	threads: z.array(z.object({used: z.number(), total: z.number(), external: z.number()})),
});

/** A gateway with one server, and what is known of it. */
type Gateway = {
	readonly terminal: PseudoTerminal;
	readonly call: ControlClient['call'];
	readonly tell: (step: string) => Promise<number>;
	readonly end: () => Promise<void>;
};

const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(0);

async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
	for (let attempt = 0; attempt < 300; attempt++) {
		const found = await find();
		if (found !== undefined) {
			return found;
		}

		await wait(100);
	}

	throw new Error('What the benchmark waits for did not happen');
}

async function openGateway(kind: 'tools' | 'logs'): Promise<Gateway> {
	const home = mkdtempSync(join(directory, 'home-'));
	const file = join(snapshotFolder ?? home, `memory-${kind}`);
	const args = ['--disable-warning=ExperimentalWarning', server, kind];
	const entry = {command: process.execPath, args, trust: 'full'};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify({mcp_servers: {peer: entry}}));
	const terminal = openPseudoTerminal(['--disable-warning=ExperimentalWarning', `--import=${probe}`, program], {
		HOME: home,
		SLUICE_HOME: home,
		MEMORY_FILE: file,
		...(snapshotFolder !== undefined && {MEMORY_SNAPSHOTS: '1'}),
	});
	const path = statePaths({root: home, profile: 'default'}).controlSocket;
	const control = await until(() => connectControl({path, clock: systemClock}));
	await until(async () => {
		const [row] = await control.call('mcp.list', {}, {signal});
		return row?.state === 'connected' ? row : undefined;
	});
	return {
		terminal,
		call: control.call,
		async tell(step) {
			const resident = residentMegabytes(terminal.pid);
			rmSync(file, {force: true});
			process.kill(terminal.pid, 'SIGUSR2');
			await until(async () => (existsSync(file) ? true : undefined));
			const {heapUsed, heapTotal, external, arrayBuffers, threads} = splitSchema.parse(
				JSON.parse(readFileSync(file, 'utf8')),
			);
			const others = threads.map(thread => `${megabytes(thread.used)}/${megabytes(thread.total)}`).join(' ');
			console.log(
				`${kind}, ${step}: resident ${resident.toFixed(0)} MB; heap ${megabytes(heapUsed)} of ${megabytes(heapTotal)}, external ${megabytes(external)}, of that buffers ${megabytes(arrayBuffers)}; heaps of threads ${others}`,
			);
			return resident;
		},
		async end() {
			control.close();
			await terminal.end();
		},
	};
}

async function callTool({call}: Gateway, name: string): Promise<void> {
	const args = {id: 'inv_12345678'};
	await call('mcp.call', {name: `mcp__peer__${name}`, arguments: args, approve: true}, {signal});
}

/** A quarter of an hour with a server of 3,000 tools. */
async function measureTools(): Promise<void> {
	const gateway = await openGateway('tools');
	const {terminal} = gateway;
	await wait(2000);
	await gateway.tell('connected');
	await terminal.press('3', 'Events');
	const residents: number[] = [];
	for (let round = 1; round <= 16; round++) {
		await callTool(gateway, 'list_invoice_0');
		for (let count = 0; count < 5; count++) {
			await callTool(gateway, 'update_ticket_2998');
		}

		await wait(500);
		if (round % 4 === 0) {
			residents.push(await gateway.tell(`round ${round}, after calls and a changed list`));
		}

		await terminal.press('1', 'servers');
		await terminal.press('t', ' call  ');
		for (let key = 0; key < 10; key++) {
			terminal.type('\u001B[6~');
			await wait(60);
		}

		await terminal.press('3', 'Events');
		if (round % 8 === 0) {
			await gateway.call('mcp.reconnect', {server: 'peer'}, {signal});
			await wait(1500);
		}

		if (round % 4 === 0) {
			residents.push(await gateway.tell(`round ${round}, after the tools view`));
		}
	}

	await gateway.end();
	checkLimit('a server of 3,000 tools, largest', Math.max(...residents), {limit: limitMegabytes, unit: 'MB'});
}

/** 20,000 log notifications, three times. */
async function measureLogs(): Promise<void> {
	const gateway = await openGateway('logs');
	await wait(2000);
	await gateway.tell('connected');
	const residents: number[] = [];
	for (let round = 1; round <= 3; round++) {
		await callTool(gateway, 'list_invoice_0');
		residents.push(await gateway.tell(`round ${round}, 20,000 notifications`));
		await wait(1000);
	}

	await gateway.end();
	checkLimit('20,000 log notifications, largest', Math.max(...residents), {limit: limitMegabytes, unit: 'MB'});
}

try {
	await measureTools();
	await measureLogs();
} finally {
	rmSync(directory, {recursive: true, force: true});
}
