import {appendFileSync} from 'node:fs';
import {type GatewayEventBody} from '../source/state/event.ts';
import {createHall} from '../source/state/hall.ts';
import {createStore} from '../source/state/store.ts';
import {mountDashboard} from '../source/tui/mount.tsx';
import {openTerminalOutput} from '../source/tui/terminal-output.ts';
import {systemClock} from '../source/util/clock.ts';

/*
The real window over the real store, with events made up at a given rate: what drawing costs, without what causes the events.
Arguments: events per second, writer, file for the longest gap of the event loop.
*/

const [rate = '0', writer = 'non-blocking', gapFile = ''] = process.argv.slice(2);
const output = openTerminalOutput({stdout: process.stdout, writer: writer === 'worker' ? 'worker' : 'non-blocking'});
const store = createStore({clock: systemClock, hold: output.hold});
const hall = createHall({clock: systemClock, clean: event => event});
hall.listen(store.publish);
const publish = hall.publishFor('default');

const dashboard = mountDashboard({
	store,
	send: () => undefined,
	clock: systemClock,
	stdin: process.stdin,
	output,
	settings: {noColor: false, ascii: false, readOnly: false},
	version: 'bench',
	guarded: [process.stdout, process.stderr],
	onStrayLine: () => undefined,
	onExit: () => process.exit(0),
});
process.on('SIGTERM', () => dashboard.unmount());

publish({
	type: 'gateway.started',
	version: 'bench',
	pid: process.pid,
	webhookUrl: null,
	configured: {servers: 8, routes: 4},
	demo: false,
});
publish({type: 'webhook.state', state: 'listening', url: 'http://127.0.0.1:8644', routes: 4});
for (let index = 0; index < 8; index++) {
	publish({
		type: 'server.state',
		server: `server-${index}`,
		state: 'connected',
		tools: 12 + index,
		transport: index % 2 ? 'http' : 'stdio',
		trust: index % 3 ? 'full' : 'untrusted',
		latencyMs: 20 + index,
		address: 'npx some-server',
	});
}

const outcomes: ReadonlyArray<
	Pick<Extract<GatewayEventBody, {type: 'webhook.settled'}>, 'status' | 'outcome' | 'reason'>
> = [
	{status: 202, outcome: 'accepted'},
	{status: 200, outcome: 'ignored', reason: 'filter'},
	{status: 401, outcome: 'rejected', reason: 'Invalid signature'},
	{status: 429, outcome: 'rejected', reason: 'Rate limit exceeded'},
];
let made = 0;
const startedAt = performance.now();
setInterval(() => {
	const due = Math.floor(((performance.now() - startedAt) / 1000) * Number(rate));
	for (; made < due; made++) {
		publish({
			type: 'webhook.settled',
			eventId: `event-${made}`,
			route: `route-${made % 5}`,
			event: made % 2 ? 'push' : 'pull_request',
			deliveryId: `delivery-${made}`,
			ms: made % 40,
			...(outcomes[made % outcomes.length] ?? {status: 202, outcome: 'accepted'}),
		});
	}
}, 10);

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
