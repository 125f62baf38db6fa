import {execFileSync} from 'node:child_process';
import {closeSync, constants, existsSync, openSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {openRecoverableJournal} from '../../source/journal/recoverable-journal.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {acceptRun, sampleEvent, sampleRun} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

function startToOpen(path = join(temporaryDirectory(), 'journal.db')) {
	const clock = createFakeClock();
	const states: Array<string | undefined> = [];
	const reported: Problem[] = [];
	const writes: Array<string | undefined> = [];
	const opening = openRecoverableJournal({
		path,
		clock,
		limits: () => ({maxAgeDays: 30, maxBytes: 1e9}),
		report: problem => reported.push(problem),
		onWrite: problem => writes.push(problem?.code),
		onState: fault => states.push(fault?.code),
	});
	return {opening, path, clock, states, reported, writes};
}

async function openStored(content?: string) {
	const path = join(temporaryDirectory(), 'journal.db');
	if (content !== undefined) {
		writeFileSync(path, content);
	}

	const {opening, ...rest} = startToOpen(path);
	return {...(await opening), ...rest};
}

test('an unusable file: reads find nothing, writes are refused, and it is reported once', async () => {
	const {journal, isOpen, clock, states, path} = await openStored('garbage '.repeat(200));
	const found = await Promise.all([
		journal.listRuns({limit: 10}),
		journal.findMessage('x'),
		journal.countWaitingRuns(),
	]);
	expect([isOpen(), ...found]).toEqual([false, [], undefined, 0]);
	const refusal = {code: 'storage_unavailable', message: expect.stringContaining(path)};
	await expect(acceptRun(journal, sampleRun())).rejects.toMatchObject(refusal);
	// A page without a next would be all calls.
	await expect(journal.listCallPage({profile: 'default'})).rejects.toMatchObject(refusal);
	// No gateways would be all gone.
	await expect(journal.listNodes()).rejects.toMatchObject(refusal);
	// A run that is not there would be over.
	await expect(journal.findRun('x')).rejects.toMatchObject(refusal);
	// A run would begin without its conversation, and without knowing which values an outsider sent.
	await expect(journal.findConversation('x')).rejects.toMatchObject(refusal);
	await expect(journal.findEvent('x')).rejects.toMatchObject(refusal);
	journal.recordEvent(sampleEvent());
	await clock.advance(300_000);
	expect(states).toEqual(['storage_unavailable']);
	await journal.close();
	expect(clock.open()).toBe(0);
});

test('a usable file is reported as nothing', async () => {
	const {journal, isOpen, states} = await openStored();
	await acceptRun(journal, sampleRun({id: 'a'}));
	expect([isOpen(), (await journal.findRun('a'))?.state, states]).toEqual([true, 'queued', []]);
	await journal.close();
});

test('rows that cannot be read at the start count as an unusable file, and are read again', async () => {
	const {take, isOpen, clock, states, journal} = await openStored();
	let tries = 0;
	await take(async () => {
		tries++;
		if (tries === 1) {
			throw new Problem('storage_unavailable', {detail: 'a broken page'});
		}
	});
	expect([isOpen(), tries, states]).toEqual([false, 1, ['storage_unavailable']]);
	await clock.advance(5000);
	await expect.poll(() => [isOpen(), tries, states]).toEqual([true, 2, ['storage_unavailable', undefined]]);
	await journal.close();
});

describe('A journal that nobody uses', () => {
	test.each<readonly [string, (path: string) => void]>([
		['removed', path => rmSync(path)],
		['replaced', path => (rmSync(path), writeFileSync(path, 'another'))],
		['cut off', path => truncateSync(path, 5000)],
	])('is found unusable within a minute after its file was %s', async (_, damage) => {
		const {path, journal: filled} = await openStored();
		await acceptRun(filled, sampleRun({id: 'a'}));
		await filled.close();
		const {opening, clock, states} = startToOpen(path);
		const {journal} = await opening;
		// A look at a sound file finds nothing.
		await clock.advance(60_000);
		await journal.countWaitingRuns();
		damage(path);
		await clock.advance(59_000);
		expect(states).toEqual([]);
		await clock.advance(1000);
		await expect.poll(() => states).toEqual(['storage_unavailable']);
		await journal.close();
		expect(clock.open()).toBe(0);
	});
});

describe('Old rows that cannot be removed', () => {
	test('because the file is damaged make it unusable', async () => {
		const {journal, path, states, reported} = await openStored();
		await acceptRun(journal, sampleRun({id: 'a'}));
		journal.prune();
		await journal.countWaitingRuns();
		expect(states).toEqual([]);
		writeFileSync(path, 'garbage '.repeat(5000));
		journal.prune();
		await expect.poll(() => states).toEqual(['storage_unavailable']);
		expect(reported).toEqual([]);
		await journal.close();
	});

	test('because the file is locked are a refused write and no missing row, as a lost row is', async () => {
		const {journal, path, clock, states, reported, writes} = await openStored();
		await acceptRun(journal, sampleRun({id: 'a'}));
		const other = new DatabaseSync(path);
		other.exec('BEGIN IMMEDIATE');
		journal.prune();
		await expect.poll(() => writes, {timeout: 25_000}).toEqual([undefined, 'storage_unavailable']);
		expect(reported).toEqual([]);
		journal.recordEvent(sampleEvent());
		await clock.advance(5);
		await expect.poll(() => reported, {timeout: 25_000}).toHaveLength(1);
		expect([writes.slice(2), states]).toEqual([['storage_unavailable'], []]);
		other.close();
		await acceptRun(journal, sampleRun({id: 'b'}));
		expect(writes.slice(3)).toEqual([undefined]);
		await journal.close();
	});
});

describe('A disk that hangs while the journal is opened', () => {
	/** A pipe at the place of the file: the thread that opens it waits for a writer. */
	async function hangingStart() {
		const path = join(temporaryDirectory(), 'journal.db');
		execFileSync('mkfifo', [path]);
		onTestFinished(() => {
			if (existsSync(path)) {
				closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
			}
		});
		const {opening, clock, states} = startToOpen(path);
		await clock.advance(9000);
		expect(states).toEqual([]);
		await clock.advance(1000);
		return {...(await opening), path, clock, states};
	}

	test('holds up no start: it is reported, and the journal is used once it opens', async () => {
		const {journal, isOpen, path, clock, states} = await hangingStart();
		expect([isOpen(), states]).toEqual([false, ['storage_unavailable']]);
		const refused = acceptRun(journal, sampleRun());
		await expect(refused).rejects.toMatchObject({message: 'The disk of the journal does not answer'});
		const held = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
		onTestFinished(() => closeSync(held));
		await expect.poll(() => states).toHaveLength(2);
		rmSync(path);
		await expect
			.poll(
				async () => {
					await clock.advance(1000);
					return isOpen();
				},
				{timeout: 5000},
			)
			.toBe(true);
		expect(states).toEqual(['storage_unavailable', 'storage_unavailable', undefined]);
		await acceptRun(journal, sampleRun({id: 'a'}));
		expect(await journal.findRun('a')).toMatchObject({state: 'queued'});
		await journal.close();
	});

	test('holds up no stop', async () => {
		const {journal, clock} = await hangingStart();
		await journal.close();
		expect(clock.open()).toBe(0);
	});
});
