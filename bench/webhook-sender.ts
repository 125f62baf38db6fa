import {readFileSync} from 'node:fs';
import {connect, type Socket} from 'node:net';
import {type SenderResult, type SenderWork} from './sender-work.ts';

/*
Posts signed bodies over keep-alive connections and prints one line of JSON; it stops by itself. Nothing of a response is parsed but
where it ends, so that the sender costs little beside the receiver it measures.
The work comes as JSON on stdin.
*/

type Line = {readonly socket: Socket; dueAt: number; received: string};

const work = JSON.parse(readFileSync(0, 'utf8')) as SenderWork;
const [before = '', after = ''] = work.head.split('{id}');
/** Short enough to be no part of what is measured, and long enough to leave the receiver's other threads a core. */
const shortestSleepMilliseconds = 0.1;
const headBytes = Buffer.from(before);
const restBytes = Buffer.concat([Buffer.from(`${after}\r\n\r\n`), Buffer.from(work.body)]);
const idPlace = headBytes.length;
const startedAt = performance.now();
const measureFrom = startedAt + work.warmUpSeconds * 1000;
const measureUntil = measureFrom + work.seconds * 1000;
const latencies: number[] = [];
const idle: Line[] = [];
const due: number[] = [];
let made = 0;
let refused = 0;
let firstRefusal: string | undefined;

function post(line: Line, dueAt: number): void {
	line.dueAt = dueAt;
	const request = Buffer.allocUnsafe(headBytes.length + 12 + restBytes.length);
	headBytes.copy(request);
	request.write(`${work.run}${String(made++).padStart(12 - work.run.length, '0')}`, idPlace, 'latin1');
	restBytes.copy(request, idPlace + 12);
	line.socket.write(request);
}

function answered(line: Line): void {
	const now = performance.now();
	if (now >= measureFrom && now < measureUntil) {
		if (/^HTTP\/1\.1 20[02] /.test(line.received)) {
			latencies.push(now - line.dueAt);
		} else {
			refused++;
			firstRefusal ??= line.received.slice(0, 300);
		}
	}

	line.received = '';
	if (now >= measureUntil) {
		return;
	}

	const next = work.rate === 0 ? now : due.shift();
	if (next === undefined) {
		idle.push(line);
	} else {
		post(line, next);
	}
}

function open(): Promise<Line> {
	return new Promise((resolve, reject) => {
		const socket = connect({port: work.port, host: '127.0.0.1', noDelay: true});
		const line: Line = {socket, dueAt: 0, received: ''};
		socket.setEncoding('latin1');
		socket.once('connect', () => resolve(line));
		socket.on('error', reject);
		socket.on('data', (text: string) => {
			line.received += text;
			const end = line.received.indexOf('\r\n\r\n');
			const length = /\r\ncontent-length: (\d+)/i.exec(line.received);
			if (end !== -1 && line.received.length >= end + 4 + Number(length?.[1] ?? 0)) {
				answered(line);
			}
		});
	});
}

function quantile(sorted: readonly number[], share: number): number {
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const lines = await Promise.all(Array.from({length: work.connections}, open));
if (work.rate === 0) {
	for (const line of lines) {
		post(line, performance.now());
	}
} else {
	idle.push(...lines);
	let owed = 0;
	const cell = new Int32Array(new SharedArrayBuffer(4));
	// A timer of Node wakes a millisecond late or two, which is most of what a calm answer takes.
	const pace = () => {
		const now = performance.now();
		const total = Math.floor(((now - startedAt) / 1000) * work.rate);
		for (; owed < total; owed++) {
			// An event that finds no free connection waits, and its waiting counts.
			const dueAt = startedAt + (owed / work.rate) * 1000;
			const line = idle.shift();
			if (line) {
				post(line, dueAt);
			} else {
				due.push(dueAt);
			}
		}

		if (now < measureUntil) {
			Atomics.wait(cell, 0, 0, shortestSleepMilliseconds);
			setImmediate(pace);
		}
	};

	pace();
}

await new Promise(resolve => setTimeout(resolve, measureUntil - performance.now() + 300));
for (const {socket} of lines) {
	socket.destroy();
}

const sorted = latencies.toSorted((first, second) => first - second);
const result: SenderResult = {
	sent: made,
	answered: sorted.length,
	refused,
	perSecond: sorted.length / work.seconds,
	p50: quantile(sorted, 0.5),
	p99: quantile(sorted, 0.99),
	maximum: sorted.at(-1) ?? Number.NaN,
	firstRefusal,
};
console.log(JSON.stringify(result));
