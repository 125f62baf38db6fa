import {appendFileSync} from 'node:fs';
import {publishLoad} from './made-up-events.ts';
import {createEventBus} from '../source/state/event-bus.ts';
import {createStore} from '../source/state/store.ts';
import {openTerminalOutput} from '../source/tui/terminal/terminal-output.ts';
import {systemClock} from '../source/util/clock.ts';

/*
The real window over the real store, with events made up at a given rate: what drawing costs, without what causes the events.
Arguments: events per second, writer, file for the longest gap of the event loop.
*/

// As the program loads it: with a fetch, the memory would be that of an HTTP client too.
Reflect.deleteProperty(globalThis, 'fetch');
const {mountDashboard} = await import('../source/tui/mount.tsx');

const [rate = '0', writer = 'non-blocking', gapFile = ''] = process.argv.slice(2);
const output = openTerminalOutput({
	stdout: process.stdout,
	stderr: process.stderr,
	writer: writer === 'worker' ? 'worker' : 'non-blocking',
});
const store = createStore({clock: systemClock, isBlocked: output.isBlocked});
const eventBus = createEventBus({clock: systemClock, redact: event => event});
eventBus.listen(store.publish);
const publish = eventBus.publishFor('default');

const dashboard = mountDashboard({
	store,
	call: () => Promise.reject(new Error('There is no gateway')),
	show: () => undefined,
	act: () => undefined,
	clock: systemClock,
	jobControl: () => 'none',
	stdin: process.stdin,
	output,
	settings: {noColor: false, ascii: false, readOnly: false},
	version: 'bench',
	guarded: [process.stdout, process.stderr],
	onStrayLine: () => undefined,
	onSilentTerminal: () => undefined,
	onExit: () => process.exit(0),
});
process.on('SIGTERM', () => dashboard.unmount());

publishLoad(publish, Number(rate));

let lastBeat = performance.now();
let longestGap = 0;
setInterval(() => {
	const now = performance.now();
	longestGap = Math.max(longestGap, now - lastBeat);
	lastBeat = now;
}, 10);
// Asked for from outside, so that only the stalled seconds count.
process.on('SIGUSR2', () => {
	if (gapFile) {
		appendFileSync(gapFile, `${longestGap.toFixed(0)}\n`);
	}

	longestGap = 0;
});
