import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {systemClock} from '../../source/util/clock.ts';
import {openTestJournal, takeRun} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const writer = fileURLToPath(new URL('../fixtures/journal-writer.ts', import.meta.url));

/** Lets the writer run until it promised `lines` things, kills it hard, and answers what it had promised. */
async function promisesBeforeKill(path: string, lines: number): Promise<{accepted: string[]; begun: string[]}> {
	const child = spawn(process.execPath, [writer, path], {stdio: ['ignore', 'pipe', 'inherit']});
	const promised: string[] = [];
	for await (const line of createInterface({input: child.stdout})) {
		promised.push(line);
		if (promised.length === lines) {
			child.kill('SIGKILL');
		}
	}

	if (child.signalCode === null && child.exitCode === null) {
		await once(child, 'exit');
	}

	expect(child.signalCode).toBe('SIGKILL');
	const idsOf = (word: string) =>
		promised.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1));
	return {accepted: idsOf('accepted'), begun: idsOf('begun')};
}

test.each([4, 40, 400])(
	'nothing promised is lost and no run begins twice when the process is killed after %d promises',
	async lines => {
		const path = join(temporaryDirectory(), 'journal.db');
		const {accepted, begun} = await promisesBeforeKill(path, lines);
		const journal = openTestJournal({clock: systemClock, path});
		const events = await Promise.all(accepted.map(journal.findEvent));
		expect(accepted.filter((_, index) => events[index] === undefined)).toEqual([]);
		const runs = await Promise.all(accepted.map(journal.findRun));
		expect(accepted.filter((_, index) => runs[index] === undefined)).toEqual([]);

		const interrupted = (await journal.interruptBegunRuns()).map(run => run.id);
		expect(begun.filter(id => !interrupted.includes(id))).toEqual([]);

		const given: string[] = [];
		for (let run = await takeRun(journal); run; run = await takeRun(journal)) {
			given.push(run.id);
		}

		expect(given.filter(id => interrupted.includes(id))).toEqual([]);
		expect(accepted.filter(id => !given.includes(id) && !interrupted.includes(id))).toEqual([]);
	},
);
