import {type ConsoleParts} from '../source/control/serve-console.ts';
import {openControlServer} from '../source/control/server.ts';
import {createEventBus} from '../source/state/event-bus.ts';
import {openLiveSnapshot} from '../source/state/gathered-snapshot.ts';
import {systemClock} from '../source/util/clock.ts';
import {publishLoad} from './made-up-events.ts';

/*
The part of a gateway that windows attach to, with events made up at a given rate: what windows cost it, without what causes the events.
Arguments: path of the control socket, events per second. Answers each message with the processor time it has used, in microseconds.
*/

const [path = '', rate = '0'] = process.argv.slice(2);
const eventBus = createEventBus({clock: systemClock, redact: event => event});
const live = openLiveSnapshot(eventBus);
const publish = eventBus.publishFor('default');
let opened = 0;
const consoles: ConsoleParts = {
	live,
	eventBus,
	onOpened: () => undefined,
	openConsole: () => ({
		number: ++opened,
		call: async () => Promise.reject(new Error('A window calls nothing')),
		setPresence: () => undefined,
		close: () => undefined,
	}),
};
await openControlServer({
	path,
	clock: systemClock,
	publish,
	consoles,
	handlersOf() {
		throw new Error('A window calls nothing');
	},
});
publishLoad(publish, Number(rate));
process.on('message', () => {
	const {user, system} = process.cpuUsage();
	process.send?.(user + system);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
