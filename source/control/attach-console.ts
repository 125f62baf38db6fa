import {type Duplex} from 'node:stream';
import {type Command, type ReadWhole} from '../state/command.ts';
import {type BrowserPlace} from '../state/console.ts';
import {type ConsoleMode} from '../state/console-state.ts';
import {parseJson} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {redactTexts} from '../util/redact-texts.ts';
import {safeText} from '../util/safe-text.ts';
import {type FromConsole, maximumConsoleLineBytes, type ToConsole, toConsoleSchema} from './console-wire.ts';
import {createLineReader} from './line-reader.ts';

/** What an attached console receives. */
export type ConsoleMessage = Exclude<ToConsole, {readonly kind: 'whole'}>;

/** A console at a gateway of another process. */
export type AttachedConsole = {
	readonly send: (command: Command) => void;
	readonly readWhole: ReadWhole;
	/** Resolves with the reason when the connection is over; `close` ends it too. */
	readonly over: Promise<Problem>;
	readonly close: () => void;
};

/** Speaks for a console on a connection that `console.open` has handed over. What the gateway sends is treated as foreign text. */
export function attachConsole(
	connection: Duplex,
	options: {
		readonly mode: ConsoleMode;
		/** What this client says of its terminal. */
		readonly terminal: string;
		/** Where the browser of a login is opened that is started here. */
		readonly browser: Exclude<BrowserPlace, 'gateway'>;
		readonly receive: (message: ConsoleMessage) => void;
	},
): AttachedConsole {
	const {promise: over, resolve} = Promise.withResolvers<Problem>();
	const wholes = new Map<number, (whole: Extract<ToConsole, {kind: 'whole'}>['whole']) => void>();
	let lastId = 0;
	const end = (message: string) => {
		resolve(new Problem('control_failed', {message}));
		connection.destroy();
		wholes.forEach(answer => answer(null));
		wholes.clear();
	};

	const take = (message: ToConsole) => {
		if (message.kind === 'whole') {
			wholes.get(message.id)?.(message.whole);
			wholes.delete(message.id);
		} else {
			options.receive(message);
		}
	};

	const reader = createLineReader({
		maximumBytes: maximumConsoleLineBytes,
		onLine(line) {
			const message = toConsoleSchema.safeParse(parseJson(line));
			if (message.success) {
				take(redactTexts(message.data, shownText));
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
		readWhole: query =>
			new Promise(answer => {
				if (connection.destroyed) {
					answer(undefined);
					return;
				}

				lastId++;
				wholes.set(lastId, whole => answer(whole ?? undefined));
				send({kind: 'read-whole', id: lastId, query});
			}),
		over,
		close: () => end('The connection was closed'),
	};
}

/** Texts are safe when a gateway sends them; whoever else may have sent these, they are safe here. */
function shownText(text: string): string {
	return safeText(text, {maximumCharacters: maximumConsoleLineBytes, multiline: true});
}
