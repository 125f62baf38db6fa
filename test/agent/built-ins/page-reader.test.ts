import {createServer} from 'node:http';
import {type Worker} from 'node:worker_threads';
import {deflateSync, gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {openPageReader} from '../../../source/agent/built-ins/page-reader.ts';
import {webFetch, type WebResponse} from '../../../source/agent/built-ins/web-fetch.ts';
import {webExtract} from '../../../source/agent/built-ins/web-extract.ts';
import {type Clock, systemClock} from '../../../source/util/clock.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {listen} from '../../helpers/loopback.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';

const words = 'Carrots like loose soil.';

function answerOf(body: string | Uint8Array, contentType = 'text/html'): WebResponse {
	return {
		status: 200,
		url: 'http://page.example/a',
		contentType,
		bytes: typeof body === 'string' ? new TextEncoder().encode(body) : body,
	};
}

function openReader(clock: Clock = createFakeClock()) {
	const lines: string[] = [];
	return {lines, reader: openPageReader({clock, log: text => lines.push(text)})};
}

/** The next thread that this process starts, and its first message. */
function nextThread() {
	const started = Promise.withResolvers<Worker>();
	const told = Promise.withResolvers<void>();
	process.once('worker', (worker: Worker) => {
		started.resolve(worker);
		worker.once('message', () => told.resolve());
	});
	return {started: started.promise, told: told.promise};
}

/** Serves a body on loopback. */
async function serve(body: Uint8Array, headers: Readonly<Record<string, string>>): Promise<string> {
	const server = createServer((_request, response) => {
		response.writeHead(200, headers).end(body);
	});
	return listen(server, '/');
}

function rows(count: number): string {
	return Array.from({length: count}, (_, row) => `<tr><td>${row}</td><td>name ${row}</td></tr>`).join('');
}

function links(count: number): string {
	return Array.from({length: count}, (_, link) => `<a href="/${link}">name ${link}</a> `).join('');
}

const tooMuchForTheParser: ReadonlyArray<readonly [what: string, body: string]> = [
	['300 nested elements', `${'<div>'.repeat(300)}${words}`],
	['2,000 nested elements', `${'<div>'.repeat(2000)}${words}${'</div>'.repeat(2000)}`],
	['nested elements that name each other in turn', `${'<td><li>'.repeat(2000)}${words}`],
	['nested drawings', `${'<svg><g>'.repeat(1000)}${words}`],
	['600,000 character references', `${'&amp;'.repeat(600_000)} ${words}`],
	['two million signs that begin no tag', `${'<'.repeat(2_000_000)} ${words}`],
	['a million empty elements', `${'<br>'.repeat(500_000)}${words}`],
];

describe('a page that is too much for the parser comes as plain text', () => {
	test.each(tooMuchForTheParser)('%s', async (_what, body) => {
		const clock = createFakeClock();
		const {title, text} = await openReader(clock).reader.page(
			answerOf(`<title>Beds &amp; carrots</title><body>${body}</body>`),
			neverAborted(),
		);
		expect(title).toBe('Beds & carrots');
		expect(text).toContain(words);
		expect(text).toMatch(/^This page is too complex/u);
		expect(text).not.toContain('<div>');
		expect(clock.open()).toBe(0);
	});

	test('also when it comes compressed, as a few kilobytes', async () => {
		const packed = gzipSync(`${'<div>'.repeat(300_000)}${words}`);
		expect(packed.length).toBeLessThan(10_000);
		const url = await serve(packed, {'content-type': 'text/html', 'content-encoding': 'gzip'});
		const {reader} = openReader();
		const tool = webExtract({fetch: async request => webFetch({...request, reach: 'machine'}), reader});
		expect(
			await tool.work({url}, {signal: neverAborted(), onWaiting: () => undefined, resume: async () => undefined}),
		).toContain(words);
	});

	test('and one that grows past the limit of all answers is refused before it is read', async () => {
		const url = await serve(gzipSync(Buffer.alloc(50_000_000, '<p>')), {
			'content-type': 'text/html',
			'content-encoding': 'gzip',
		});
		await expect(webFetch({url, reach: 'machine', signal: neverAborted()})).rejects.toMatchObject({
			code: 'call_failed',
		});
	});
});

describe('while a page is read', () => {
	test.each([
		['a table of 5,000 rows', `<table>${rows(5000)}</table>`, 'name 4999'],
		['10,000 links', `<p>${links(10_000)}</p>`, 'name 9999'],
	])('everything else goes on, and when its time is over its thread is gone: %s', async (_what, body, last) => {
		const clock = createFakeClock();
		const thread = nextThread();
		const ended: string[] = [];
		const reading = openReader(clock)
			.reader.page(answerOf(`<body><article>${body}</article></body>`), neverAborted())
			.finally(() => ended.push('page'));
		await thread.told;

		const url = await serve(Buffer.from('hello'), {});
		expect(await (await fetch(url)).text()).toBe('hello');
		ended.push('request');
		const worker = await thread.started;
		expect(worker.threadId).toBeGreaterThan(0);

		await clock.advance(15_000);
		expect((await reading).text).toContain(last);
		expect(ended).toEqual(['request', 'page']);
		expect(worker.threadId).toBe(-1);
	});

	test('a call that ends takes its thread with it, and the next page is read', async () => {
		const {reader} = openReader();
		const hostile = answerOf(`<body><article><p>${links(10_000)}</p></article></body>`);
		const controllers = [new AbortController(), new AbortController()];
		const threads: Array<Awaited<ReturnType<typeof nextThread>['started']>> = [];
		const readings: Array<Promise<unknown>> = [];
		for (const {signal} of controllers) {
			const thread = nextThread();
			readings.push(reader.page(hostile, signal).catch((caught: unknown) => caught));
			await thread.told;
			threads.push(await thread.started);
		}

		const third = reader.page(answerOf(`<p>${words}</p>`), neverAborted());
		const reason = new Error('the run was stopped');
		controllers.forEach(controller => controller.abort(reason));
		expect(await Promise.all(readings)).toEqual([reason, reason]);
		expect(threads.map(({threadId}) => threadId)).toEqual([-1, -1]);
		expect(await third).toMatchObject({text: words});
	});

	test('a call that has ended before starts no thread', async () => {
		const {reader} = openReader();
		const reason = new Error('over');
		await expect(reader.page(answerOf('<p>x</p>'), AbortSignal.abort(reason))).rejects.toBe(reason);
	});
});

test('a PDF that would take all memory is an error', {timeout: 60_000}, async () => {
	const pdf = pdfOf(deflateSync(`[${'0 '.repeat(30_000_000)}`));
	expect(pdf.length).toBeLessThan(200_000);
	const {reader} = openReader(systemClock);
	await expect(reader.page(answerOf(pdf, 'application/pdf'), neverAborted())).rejects.toMatchObject({
		code: 'fetch_failed',
		// A busy machine may not come so far in the time it has.
		message: expect.stringMatching(/takes too much memory|took too long/u),
	});
	expect(await reader.page(answerOf(`<p>${words}</p>`), neverAborted())).toMatchObject({text: words});
});

test('what a library writes goes to the log, bounded and safe to show', async () => {
	const {reader, lines} = openReader(systemClock);
	const pdf = pdfOf(deflateSync('BT \u001B[31m\u001BX'.repeat(100)));
	await reader.page(answerOf(pdf, 'application/pdf'), neverAborted()).catch(() => undefined);
	expect(lines.length).toBeGreaterThan(0);
	expect(lines.length).toBeLessThanOrEqual(10);
	expect(lines.join('\n')).toMatch(/^page reader: /u);
	expect(lines.join('\n')).not.toContain('\u001B');
});

/** A PDF of one page whose content is this, packed. */
function pdfOf(content: Uint8Array): Uint8Array {
	const head = '%PDF-1.4\n';
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << >> >>',
	].map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
	const stream = `4 0 obj\n<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`;
	return Buffer.concat([
		Buffer.from(head + objects.join('') + stream, 'latin1'),
		content,
		Buffer.from('\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n', 'latin1'),
	]);
}
