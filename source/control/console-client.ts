import {type Socket} from 'node:net';
import {type GatewayClient} from '../state/gateway-call.ts';
import {type ConsoleMessage, type ConsoleOptions} from '../state/console-message.ts';
import {createSubscriptions} from '../state/subscriptions.ts';
import {type Clock} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {redactTexts} from '../util/redact-texts.ts';
import {safeText} from '../util/safe-text.ts';
import {consoleMessageJson} from './console-message.ts';
import {answerDeadlineMilliseconds, maximumConsoleLineBytes} from './limits.ts';
import {methods} from './methods.ts';
import {type OpenRequests, parseResult} from './open-requests.ts';

/** A console at a gateway of another process. Its events begin with the next line of the connection. */
export type ConsoleClient = GatewayClient & {
	/** The number of the console and the process of its gateway; undefined before it is open. */
	readonly opened: () => {readonly number: number; readonly pid: number} | undefined;
	/** Resolves with the reason when the connection is over; `close` ends it too. */
	readonly over: Promise<Problem>;
	readonly close: () => void;
};

/** Opens a console on the connection of a client. What the gateway sends is treated as foreign text. */
export function openConsoleClient({
	requests,
	socket,
	clock,
	profile: own,
	mode,
	terminal,
	browser,
}: ConsoleOptions & {
	readonly requests: OpenRequests;
	readonly socket: Socket;
	readonly clock: Clock;
	readonly profile: string | undefined;
}): ConsoleClient {
	const {promise: over, resolve} = Promise.withResolvers<Problem>();
	const {subscribe, onEvent, onSnapshot} = createSubscriptions();
	let opened: ReturnType<ConsoleClient['opened']>;
	const end = (problem: Problem) => {
		deadline.cancel();
		resolve(problem);
		socket.destroy();
	};

	const deadline = clock.after(answerDeadlineMilliseconds, () =>
		end(new Problem('control_failed', {message: 'The running gateway did not answer in time'})),
	);
	const ofProfile = (profile: string | undefined) => (profile === undefined ? {} : {profile});
	const take = (note: JsonObject) => {
		const message = socket.destroyed ? undefined : readMessage(note);
		switch (message?.kind) {
			case undefined:
				end(new Problem('control_failed', {message: 'The running gateway sent a line that cannot be read'}));
				return;
			case 'check':
				requests.send({method: 'console.here', params: {}}).catch(() => undefined);
				return;
			case 'opened':
				opened = {number: message.number, pid: message.pid};
				return;
			case 'snapshot':
				deadline.cancel();
				onSnapshot(message.snapshot);
				return;
			case 'events':
				message.events.forEach(onEvent);
		}
	};

	requests.expectConsole();
	const params = {mode, terminal, browser};
	requests.send({method: 'console.open', params, ...ofProfile(own), onNote: take}).then(
		() => end(new Problem('control_failed', {message: 'The running gateway closed the connection'})),
		(caught: unknown) => end(toProblem(caught, 'control_failed')),
	);
	return {
		async call(method, callParams, {signal, onNote, profile = own} = {}) {
			const note = onNote && ((value: JsonObject) => onNote(shown(value)));
			const answer = await requests.send({
				method,
				params: callParams,
				...ofProfile(profile),
				...(note && {onNote: note}),
				...(signal && {signal}),
			});
			return shown(parseResult(methods[method].result, answer));
		},
		subscribe,
		opened: () => opened,
		over,
		close: () => end(new Problem('control_failed', {message: 'The connection was closed'})),
	};
}

/** The message in a note; undefined when there is none. */
function readMessage(note: JsonObject): ConsoleMessage | undefined {
	try {
		const message = consoleMessageJson.safeParse(note);
		return message.success ? shown(message.data) : undefined;
	} catch {
		// Nested so deeply that the stack does not suffice.
		return undefined;
	}
}

/** The same with safe texts, whatever their sender; arguments are escaped where they are shown. */
function shown<Value>(value: Value): Value {
	const safe = (text: string) => safeText(text, {maximumCharacters: maximumConsoleLineBytes, multiline: true});
	return redactTexts(value, safe, 'arguments');
}
