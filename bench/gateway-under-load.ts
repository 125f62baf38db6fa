import {serveConsole} from '../source/control/serve-console.ts';
import {type ControlHandlers} from '../source/control/methods.ts';
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
const handlers: Pick<ControlHandlers, 'console.open'> = {
	async 'console.open'(_, {signal, takeOver}) {
		await serveConsole(takeOver(), {
			clock: systemClock,
			live,
			eventBus,
			signal,
			onOpened: () => undefined,
			openConsole: () => ({
				number: ++opened,
				send: () => undefined,
				setPresence: () => undefined,
				readWhole: () => Promise.resolve(undefined),
				close: () => undefined,
			}),
		});
		return {};
	},
};
// A window asks for nothing else.
await openControlServer({path, clock: systemClock, publish, handlersOf: () => handlers as ControlHandlers});
publishLoad(publish, Number(rate));
process.on('message', () => {
	const {user, system} = process.cpuUsage();
	process.send?.(user + system);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
