import {expect, test} from 'vitest';
import {jobControl, jobControlOf, type ProcessInfo} from '../../../source/tui/terminal/job-control.ts';

const process = (...[parent, group, session]: readonly [number, number, number]): ProcessInfo => ({
	parent,
	group,
	session,
	stops: 'default',
});

/** One that keeps SIGTSTP away from itself. */
const shell = (...ids: readonly [number, number, number]): ProcessInfo => ({...process(...ids), stops: 'kept-away'});

/** The processes of a machine, each by its id; the program has the id 9. */
const machines: ReadonlyArray<readonly [string, Readonly<Record<number, ProcessInfo>>, string]> = [
	['a shell with job control', {5: shell(1, 5, 5), 9: process(5, 9, 5)}, 'shell'],
	[
		'npm under a shell with job control',
		{5: shell(1, 5, 5), 7: process(5, 7, 5), 8: process(7, 7, 5), 9: process(8, 7, 5)},
		'shell',
	],
	['a terminal multiplexer or ssh that runs the program', {5: shell(1, 5, 5), 9: process(5, 9, 9)}, 'none'],
	['a shell without job control', {4: process(1, 4, 4), 5: process(4, 5, 5), 9: process(5, 5, 5)}, 'none'],
	['the init process of a container, which takes no job back', {1: process(0, 1, 1), 9: process(1, 9, 1)}, 'none'],
	['a shell as the init process of a container', {1: shell(0, 1, 1), 9: process(1, 9, 1)}, 'shell'],
	['nothing: it is the first process itself', {9: process(0, 9, 9)}, 'none'],
	['a parent that the system does not tell about', {9: process(5, 9, 9)}, 'unknown'],
	['a system that tells nothing', {}, 'unknown'],
];

test.each(machines)('under %s', (_name, machine, expected) => {
	expect(jobControlOf(9, pid => machine[pid])).toBe(expected);
});

test.runIf(globalThis.process.platform === 'linux')('this system tells', () => {
	expect(['shell', 'none']).toContain(jobControl());
});
