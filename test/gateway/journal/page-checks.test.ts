import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {startPageChecks} from '../../../source/gateway/journal/page-checks.ts';
import {openJournal} from '../../../source/journal/open-journal.ts';
import {isDamaged} from '../../../source/journal/operations/request-batches.ts';
import {type Problem} from '../../../source/util/problem.ts';
import {journalFault} from '../../helpers/database-journal.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {acceptRun, sampleRun, takeRun} from '../../helpers/journal-records.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const yaml = 'platforms: {webhook: {enabled: true, port: 0, routes: {one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}}}}';
const dayMilliseconds = 86_400_000;

/** A state directory whose journal has many pages that no start reads. */
async function usedDirectory(): Promise<{readonly root: string; readonly path: string}> {
	const root = temporaryDirectory();
	const path = join(root, 'journal.db');
	const limits = () => ({maxAgeDays: Infinity, maxBytes: 2 ** 40});
	const journal = openJournal({path, clock: createFakeClock(Date.now()), limits});
	for (let number = 0; number < 600; number++) {
		const id = `run-${number}`;
		await acceptRun(journal, sampleRun({id}));
		await takeRun(journal);
		await journal.finishRun(id, {state: 'finished', result: {answer: 'x'.repeat(20_000)}});
	}

	await journal.close();
	return {root, path};
}

/** Breaks pages that hold the middle of old answers (https://www.sqlite.org/fileformat2.html, Cell Payload Overflow Pages); a start reads the newest. */
function breakPages(path: string): void {
	const bytes = readFileSync(path);
	for (let start = 0; start < bytes.length / 3; start += 4096) {
		// The number of the next page, then nothing but the answer.
		if (bytes[start] === 0 && [4, 2000, 4095].every(at => bytes[start + at] === 'x'.codePointAt(0))) {
			bytes.fill(255, start, start + 4);
		}
	}

	writeFileSync(path, bytes, {flag: 'r+'});
}

test('damage that no statement touches is found a minute after the start, as a fault, and not before', async () => {
	const {root, path} = await usedDirectory();
	breakPages(path);
	const clock = createFakeClock(Date.now());
	const running = await runGateway(yaml, root, {clock});
	const post = async () =>
		(await fetch(`${running.gateway.webhookUrl()}/webhooks/one`, {method: 'POST', body: '{"x":1}'})).status;
	// Answers come by the clock of the machine, so this one takes small steps.
	for (let step = 0; step < 6; step++) {
		expect(await post()).toBe(202);
		await clock.advance(step === 5 ? 9000 : 10_000);
	}

	expect(running.events.filter(journalFault('there'))).toEqual([]);
	await clock.advance(1000);
	expect(await running.eventWhere(journalFault('there'))).toMatchObject({
		reason: expect.stringMatching(/^The journal cannot be used\. Restore .*journal\.db/u),
	});
	const response = await fetch(`${running.gateway.webhookUrl()}/ready`);
	expect([response.status, await response.json()]).toMatchObject([503, {reasons: ['journal']}]);
});

test('damage that comes later is found by the check of the next day, once, and a whole file is none', async () => {
	const {path} = await usedDirectory();
	const clock = createFakeClock();
	const found: Problem[] = [];
	const lines: unknown[] = [];
	const state = {isOpen: true};
	const checks = startPageChecks({
		clock,
		path,
		publish: event => lines.push(event),
		place: () => 'file',
		journal: {
			isOpen: () => state.isOpen,
			reportDamage(problem) {
				state.isOpen = false;
				found.push(problem);
			},
		},
	});
	onTestFinished(checks.stop);
	/** Lets a check end: it waits for its process, then for the next look. */
	const pass = async (milliseconds: number) => {
		await clock.advance(milliseconds);
		await expect.poll(clock.open).toBe(1);
		await clock.settle();
	};

	await pass(60_000);
	breakPages(path);
	await pass(dayMilliseconds - 240_000);
	expect([found, lines]).toEqual([[], []]);
	// The looks of a minute do not meet a day exactly.
	await pass(360_000);
	await expect.poll(() => found).toMatchObject([{detail: expect.stringContaining('table ')}]);
	expect(isDamaged(found[0])).toBe(true);
	await pass(3 * dayMilliseconds);
	expect([found.length, lines]).toEqual([1, []]);
	// It is used again.
	state.isOpen = true;
	await pass(120_000);
	await expect.poll(() => found).toHaveLength(2);
});

test('a file that cannot be read is a line in the log, and a stop waits for no check', async () => {
	const path = join(temporaryDirectory(), 'journal.db');
	const clock = createFakeClock();
	const lines: unknown[] = [];
	const reportDamage = () => expect.unreachable();
	const publish = (event: unknown) => lines.push(event);
	const journal = {isOpen: () => true, reportDamage};
	const checks = startPageChecks({clock, path, publish, place: () => 'file', journal});
	await clock.advance(60_000);
	await expect
		.poll(() => lines)
		.toMatchObject([{level: 'warning', text: expect.stringContaining('could not be checked')}]);
	await checks.stop();
	execFileSync('mkfifo', [path]);
	const hanging = startPageChecks({clock, path, publish, place: () => 'file', journal});
	await clock.advance(60_000);
	await hanging.stop();
	expect([lines.length, clock.open()]).toEqual([1, 0]);
});

test('a journal in a database has no pages to check', async () => {
	const clock = createFakeClock();
	const lines: unknown[] = [];
	const publish = (event: unknown) => lines.push(event);
	const journal = {isOpen: () => true, reportDamage: () => expect.unreachable()};
	const checks = startPageChecks({clock, path: '/nowhere', publish, place: () => 'database', journal});
	await clock.advance(120_000);
	await checks.stop();
	expect(lines).toEqual([]);
});
