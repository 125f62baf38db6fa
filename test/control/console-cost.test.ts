import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {type Duplex} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {maximumConsoleWaitingBytes} from '../../source/control/limits.ts';
import {type OpenConsole} from '../../source/state/console.ts';
import {createEventBus, type EventBus} from '../../source/state/event-bus.ts';
import {openLiveSnapshot} from '../../source/state/gathered-snapshot.ts';
import {systemClock} from '../../source/util/clock.ts';
import {startControl} from './control-fixture.ts';
import {openBareConsole} from './console-fixture.ts';

const windows = 30;

test('windows that never read cost their gateway no more than a snapshot and 1 MB each, leave no listener behind and do not delay its stop', async () => {
	const bus = createEventBus({clock: systemClock, redact: event => event});
	const live = openLiveSnapshot(bus);
	const connections: Duplex[] = [];
	let listening = 0;
	const eventBus: Pick<EventBus, 'listenToAll'> = {
		listenToAll(listener) {
			listening++;
			const end = bus.listenToAll(listener);
			return () => {
				listening--;
				end();
			};
		},
	};
	// The gateway's ends of the connections.
	const onSocket = (message: unknown) => void connections.push((message as {readonly socket: Duplex}).socket);
	subscribe('net.server.socket', onSocket);
	onTestFinished(() => void unsubscribe('net.server.socket', onSocket));
	const none = () => undefined;
	let opened = 0;
	const openConsole: OpenConsole = () => {
		opened++;
		return {number: opened, call: async () => Promise.reject(new Error('not called')), setPresence: none, close: none};
	};

	const {path, server} = await startControl({}, {consoles: {live, eventBus, onOpened: none, openConsole}});
	const consoles = await Promise.all(Array.from({length: windows}, () => openBareConsole(path)));
	const reading = await openBareConsole(path);
	consoles.forEach(({socket}) => socket.pause());
	const publish = bus.publishFor('default');
	for (let count = 0; count < 200; count++) {
		for (let index = 0; index < 10; index++) {
			publish({type: 'log', level: 'info', area: 'test', text: 'x'.repeat(2000)});
		}

		// Urgent events are sent at once.
		publish({type: 'fault.state', part: 'journal'});
		await new Promise(resolve => setImmediate(resolve));
	}

	const batch = 100_000;
	const snapshot = Buffer.byteLength(JSON.stringify(live.current()));
	for (const {writableLength} of connections.slice(0, windows)) {
		expect(writableLength).toBeGreaterThan(maximumConsoleWaitingBytes / 2);
		expect(writableLength).toBeLessThan(snapshot + maximumConsoleWaitingBytes + batch);
	}

	expect(listening).toBe(windows + 1);
	const before = performance.now();
	await server.close();
	expect(performance.now() - before).toBeLessThan(1000);
	expect(listening).toBe(0);
	await reading.closed;
	live.close();
});
