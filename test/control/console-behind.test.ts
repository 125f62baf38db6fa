import {Duplex} from 'node:stream';
import {expect, test} from 'vitest';
import {serveConsole} from '../../source/control/serve-console.ts';
import {controlProtocol} from '../../source/control/limits.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {emptySnapshot} from '../../source/state/snapshot.ts';
import {isJsonObject, parseJson} from '../../source/util/json-text.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {neverAborted} from '../helpers/never-aborted.ts';

/** A window that reads nothing until `read` is called. */
async function openSlowConsole() {
	const clock = createFakeClock();
	const eventBus = createEventBus({clock, redact: event => event});
	let text = '';
	let state: 'stalled' | 'reading' = 'stalled';
	let taken: () => void = () => undefined;
	const connection = new Duplex({
		read: () => undefined,
		write(chunk, _, done) {
			text += String(chunk);
			taken = done;
			if (state === 'reading') {
				done();
			}
		},
	});
	const presence: string[] = [];
	let isOpen = true;
	const served = serveConsole(connection, {
		id: 1,
		mode: 'deciding',
		terminal: '',
		browser: 'nowhere',
		clock,
		eventBus,
		live: {current: () => emptySnapshot},
		openConsole: () => ({
			number: 1,
			// The result of every method: this test sends one alone.
			call: async () => ({type: 'view.tools', tools: []}) as never,
			setPresence: is => void presence.push(is),
			close: () => void (isOpen = false),
		}),
		onOpened: () => undefined,
		signal: neverAborted(),
	});
	connection.resume();
	await clock.settle();
	const say = async (method: string) => {
		served.onLine(JSON.stringify({id: 2, protocol: controlProtocol, method, params: {}}));
		await clock.settle();
	};

	return {
		clock,
		presence,
		here: async () => say('console.here'),
		publish: eventBus.publishFor('default'),
		isOpen: () => isOpen,
		hangUp: async () => {
			connection.push(null);
			await clock.settle();
		},
		ask: async () => say('mcp.view-tools'),
		read: async () => {
			state = 'reading';
			taken();
			await clock.settle();
			return text
				.split('\n')
				.map(line => parseJson(line))
				.filter(isJsonObject);
		},
	};
}

test('a window that has fallen behind gets a new snapshot, and then the answers to its own questions', async () => {
	const {clock, publish, ask, read} = await openSlowConsole();
	for (let count = 0; count < 30; count++) {
		publish({type: 'log', level: 'info', area: 'test', text: 'x'.repeat(100_000)});
		await clock.advance(50);
	}

	await ask();
	const messages = await read();
	expect(messages.filter(({event}) => isJsonObject(event) && event['kind'] === 'snapshot')).toHaveLength(2);
	expect(messages.slice(-2)).toMatchObject([{event: {kind: 'snapshot'}}, {id: 2, result: {type: 'view.tools'}}]);
});

test('a window that hung up is gone, though it has not read what waits for it', async () => {
	const {isOpen, hangUp} = await openSlowConsole();
	expect(isOpen()).toBe(true);
	await hangUp();
	expect(isOpen()).toBe(false);
});

test('a window that has not read for half a minute is absent until it reads again', async () => {
	const {clock, presence, here, read} = await openSlowConsole();
	await clock.advance(29_000);
	expect(presence).not.toContain('absent');
	await clock.advance(1000);
	expect(presence.at(-1)).toBe('absent');
	expect((await read()).filter(({event}) => isJsonObject(event) && event['kind'] === 'check')).toHaveLength(1);
	await here();
	expect(presence.at(-1)).toBe('present');
	await clock.advance(10_000);
	await here();
	await clock.advance(20_000);
	expect(presence.at(-1)).toBe('present');
});
