import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {type OutgoingMessage, type CallRecord} from '../../source/journal/journal.ts';
import {openRecoverableJournal} from '../../source/journal/recoverable-journal.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {ownProgram} from '../helpers/own-program.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const program = ownProgram('failing-storage-worker', new URL('../fixtures/', import.meta.url).href);
/** The thread ends behind the first commit with these words: waiting callers are refused, and the write is on disk. */
export const dies = 'dies behind its commit';

/** A journal whose thread can be made to die, and that a test opens again. */
export async function openFailing(patienceMilliseconds = 600_000) {
	const path = join(temporaryDirectory(), 'journal.db');
	const clock = createFakeClock();
	const reported: string[] = [];
	const stored = await openRecoverableJournal({
		path,
		clock,
		program,
		patienceMilliseconds: () => patienceMilliseconds,
		limits: () => ({maxAgeDays: 30, maxBytes: 1e9}),
		onState: () => undefined,
		onRetriedWrites: state => reported.push(state.kind),
	});
	onTestFinished(() => stored.journal.close());
	const reopen = async () => {
		await expect.poll(() => existsSync(`${path}.died`) && !stored.isOpen()).toBe(true);
		await clock.advance(5000);
		await expect.poll(stored.isOpen).toBe(true);
	};

	return {...stored, path, clock, reported, reopen};
}

/** A message to deliver. */
export const answer: OutgoingMessage = {
	id: 'answer',
	eventId: 'event',
	target: 'log',
	text: 'Done',
	extra: {},
	deliveryId: 'one',
	route: 'github',
};
/** A call that changes something; the thread dies behind its commit. */
export const call: CallRecord = {
	id: 'call',
	time: 0,
	profile: 'default',
	server: 's',
	tool: 't',
	arguments: {text: dies},
	origin: {kind: 'dashboard'},
};
