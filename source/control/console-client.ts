import {type Duplex} from 'node:stream';
import {type Command, type ReadWhole} from '../state/command.ts';
import {type BrowserPlace} from '../state/console-state.ts';
import {type ConsoleMode} from '../state/console-state.ts';
import {type Clock} from '../util/clock.ts';
import {parseJson} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {redactTexts} from '../util/redact-texts.ts';
import {safeText} from '../util/safe-text.ts';
import {type FromConsole, maximumConsoleLineBytes, type ToConsole, toConsoleSchema} from './console-wire.ts';
import {answerDeadlineMilliseconds} from './limits.ts';
import {createLineReader} from './line-reader.ts';

/** What an attached console receives. */
export type ConsoleMessage = Exclude<ToConsole, {readonly kind: 'whole' | 'refused' | 'check'}>;

/** A console at a gateway of another process. */
export type ConsoleClient = {
	readonly send: (command: Command) => void;
	readonly readWhole: ReadWhole;
	/** Resolves with the reason when the connection is over; `close` ends it too. */
	readonly over: Promise<Problem>;
	readonly close: () => void;
};

/** Speaks for a console on a connection that `console.open` has handed over. What the gateway sends is treated as foreign text. */
export function createConsoleClient(
	connection: Duplex,
	options: {
		readonly clock: Clock;
		readonly mode: ConsoleMode;
		/** What this client says of its terminal. */
		readonly terminal: string;
		/** Where the browser of a login is opened that is started here. */
		readonly browser: Exclude<BrowserPlace, 'gateway'>;
		readonly receive: (message: ConsoleMessage) => void;
	},
): ConsoleClient {
	const {promise: over, resolve} = Promise.withResolvers<Problem>();
	const wholes = createWholes();
	const deadline = options.clock.after(answerDeadlineMilliseconds, () =>
		end('The running gateway did not answer in time'),
	);
	const end = (message: string) => {
		deadline.cancel();
		resolve(new Problem('control_failed', {message}));
		connection.destroy();
		wholes.close();
	};

	const take = (message: ToConsole) => {
		if (message.kind === 'whole') {
			wholes.answer(message);
		} else if (message.kind === 'check') {
			send({kind: 'here'});
		} else if (message.kind === 'refused') {
			end(message.message);
		} else {
			if (message.kind === 'snapshot') {
				deadline.cancel();
			}

			options.receive(message);
		}
	};

	const reader = createLineReader({
		maximumBytes: maximumConsoleLineBytes,
		onLine(line) {
			const message = connection.destroyed ? undefined : readLine(line);
			if (message) {
				take(message);
			} else {
				end('The running gateway sent a line that cannot be read');
			}
		},
		onTooLong: () => end('The running gateway sent a line that is too long'),
	});
	const send = (message: FromConsole) => {
		if (connection.writable) {
			connection.write(`${JSON.stringify(message)}\n`);
		}
	};

	connection.on('data', reader.push);
	connection.on('error', () => undefined);
	connection.on('close', () => end('The running gateway closed the connection'));
	connection.resume();
	const {mode, terminal, browser} = options;
	send({kind: 'open', mode, terminal, browser});
	return {
		send: command => send({kind: 'command', command}),
		readWhole: query => wholes.wait(id => send({kind: 'read-whole', id, query})),
		over,
		close: () => end('The connection was closed'),
	};
}

type Whole = Extract<ToConsole, {kind: 'whole'}>;

/** Requests that are being read, by the number of the question. After `close` none is found. */
function createWholes() {
	const waiting = new Map<number, (whole: Whole['whole']) => void>();
	let lastId = 0;
	let state: 'open' | 'closed' = 'open';
	return {
		wait: (ask: (id: number) => void): ReturnType<ReadWhole> =>
			new Promise(resolve => {
				if (state === 'closed') {
					resolve(undefined);
					return;
				}

				lastId++;
				waiting.set(lastId, whole => resolve(whole ?? undefined));
				ask(lastId);
			}),
		answer({id, whole}: Whole) {
			waiting.get(id)?.(whole);
			waiting.delete(id);
		},
		close() {
			state = 'closed';
			waiting.forEach(resolve => resolve(null));
			waiting.clear();
		},
	};
}

/** The message in a line, its texts safe but for arguments, which whoever shows them escapes; undefined when there is none. */
function readLine(line: string): ToConsole | undefined {
	try {
		const message = toConsoleSchema.safeParse(parseJson(line));
		return message.success ? redactTexts(message.data, shownText, 'arguments') : undefined;
	} catch {
		// Nested so deeply that the stack does not suffice.
		return undefined;
	}
}

/** Texts are safe when a gateway sends them; whoever else may have sent these, they are safe here. */
function shownText(text: string): string {
	return safeText(text, {maximumCharacters: maximumConsoleLineBytes, multiline: true});
}
