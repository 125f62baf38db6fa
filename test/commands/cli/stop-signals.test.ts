import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {expect, test, onTestFinished} from 'vitest';
import {openStopSignals, type StopSignal} from '../../../source/commands/cli/stop-signals.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

const source = fileURLToPath(new URL('../../../source/commands/cli/stop-signals.ts', import.meta.url));

/** Prints each stop signal it gets, lets go of them at the second, and has a clock that runs a second at every look. */
const program = `
	import {openStopSignals} from ${JSON.stringify(source)};
	let count = 0;
	let elapsed = 0;
	const off = openStopSignals({elapsed: () => (elapsed += 1000)})(signal => {
		if (++count === 2) off();
		process.stdout.write(signal);
	});
	process.stdin.resume();
	process.stdout.write('ready');
`;

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
	'%s is heard until it is let go, and then ends the process',
	async signal => {
		const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		onTestFinished(() => void child.kill('SIGKILL'));
		const heard: string[] = [];
		for (let count = 0; count < 3; count++) {
			heard.push(String((await once(child.stdout, 'data'))[0]));
			child.kill(signal);
		}

		const [, endedBy] = await once(child, 'exit');
		expect([heard, endedBy]).toEqual([['ready', signal, signal], signal]);
	},
);

test('a signal that arrives again at once is heard once, and one that comes later is heard', async () => {
	const clock = createFakeClock();
	const heard: StopSignal[] = [];
	const off = openStopSignals(clock)(signal => void heard.push(signal));
	onTestFinished(off);
	process.emit('SIGHUP', 'SIGHUP');
	await clock.advance(100);
	process.emit('SIGHUP', 'SIGHUP');
	const atOnce = heard.length;
	await clock.advance(500);
	process.emit('SIGHUP', 'SIGHUP');
	expect([atOnce, heard.length]).toEqual([1, 2]);
});
