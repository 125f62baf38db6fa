import {Duplex} from 'node:stream';
import {expect, test} from 'vitest';
import {maximumConsoleWaitingBytes} from '../../source/control/limits.ts';
import {serveConsole} from '../../source/control/serve-console.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {openLiveSnapshot} from '../../source/state/gathered-snapshot.ts';
import {type Snapshot} from '../../source/state/snapshot.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

type Sent = {
	readonly kind: string;
	readonly snapshot?: Snapshot;
	readonly events?: ReadonlyArray<{readonly text: string}>;
};

/** A connection whose other end reads only when it is told to. */
function createUnreadConnection() {
	let text = '';
	let read: (() => void) | undefined;
	let state: 'stopped' | 'reading' = 'stopped';
	const connection = new Duplex({
		read: () => undefined,
		write(chunk: Buffer, _, done) {
			read = () => {
				text += chunk.toString('utf8');
				done();
			};
			if (state === 'reading') {
				read();
			}
		},
	});
	return {
		connection,
		readFromNowOn: () => {
			state = 'reading';
			read?.();
		},
		/** The bytes read since the last time. */
		messages: (): Sent[] => {
			const lines = text.split('\n').filter(Boolean);
			text = '';
			return lines.map(line => (JSON.parse(line) as {readonly event: Sent}).event);
		},
	};
}

test('a console that does not read costs the gateway no more than a snapshot and a batch, and gets a new snapshot when it reads', async () => {
	const clock = createFakeClock();
	const eventBus = createEventBus({clock, redact: event => event});
	const live = openLiveSnapshot(eventBus);
	const publish = eventBus.publishFor('default');
	const say = (text: string) => publish({type: 'log', level: 'info', area: 'test', text});
	const {connection, readFromNowOn, messages} = createUnreadConnection();
	const leaving = new AbortController();
	const served = serveConsole(connection, {
		id: 1,
		mode: 'deciding',
		terminal: 'a test',
		browser: 'nowhere',
		clock,
		eventBus,
		live,
		openConsole: () => ({
			number: 1,
			call: async () => Promise.reject(new Error('not called')),
			setPresence: () => undefined,
			close: () => undefined,
		}),
		onOpened: () => undefined,
		signal: leaving.signal,
	});
	await clock.settle();

	// A minute of 200 events a second, as webhooks make them.
	let most = 0;
	for (let second = 0; second < 60; second++) {
		for (let batch = 0; batch < 20; batch++) {
			for (let event = 0; event < 10; event++) {
				say(`${second} ${batch} ${event} ${'x'.repeat(400)}`);
			}

			await clock.advance(50);
			most = Math.max(most, connection.writableLength);
		}
	}

	say('the newest one');
	expect(most).toBeGreaterThan(maximumConsoleWaitingBytes);
	expect(most).toBeLessThan(1.1 * maximumConsoleWaitingBytes);

	readFromNowOn();
	await clock.advance(100);
	const read = messages();
	expect(read.filter(({kind}) => kind === 'check')).toHaveLength(1);
	const caughtUp = read.filter(({kind}) => kind !== 'check');
	expect(caughtUp.map(({kind}) => kind)).toEqual([
		'opened',
		'snapshot',
		...caughtUp.slice(2, -1).map(() => 'events'),
		'snapshot',
	]);
	expect(caughtUp.at(-1)?.snapshot?.log.at(-1)?.text).toBe('the newest one');

	// From here on it follows again.
	say('one more');
	await clock.advance(100);
	expect(messages().flatMap(({events = []}) => events.map(({text}) => text))).toEqual(['one more']);
	leaving.abort();
	await served.over;
	live.close();
});
