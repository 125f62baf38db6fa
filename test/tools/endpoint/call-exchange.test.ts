import {createServer, type ServerResponse} from 'node:http';
import {expect, onTestFinished, test, vi} from 'vitest';
import {openCallExchange} from '../../../source/tools/endpoint/plain-call.ts';
import {endpointLimits} from '../../../source/tools/endpoint/limits.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {listenOnFreePort} from '../../helpers/free-port.ts';

const answer = {jsonrpc: '2.0', id: 1, result: {content: [{type: 'text', text: 'grüezi'}]}};
const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** An exchange whose client waits for the response. */
async function openExchange() {
	const clock = createFakeClock();
	const responses: ServerResponse[] = [];
	const server = createServer((_, response) => void responses.push(response));
	const port = await listenOnFreePort(server);
	onTestFinished(() => void server.close());
	const hangUp = new AbortController();
	const received = fetch(`http://127.0.0.1:${port}`, {signal: hangUp.signal});
	received.catch(() => undefined);
	const response = await vi.waitFor(() => responses[0] ?? expect.fail('no request came'));
	const exchange = openCallExchange(response, {clock, headers: {'mcp-session-id': 'one'}});
	return {clock, response, exchange, received, hangUp};
}

/** The response that the client got. */
async function read(received: Promise<Response>) {
	const response = await received;
	const {status, headers} = response;
	return {
		status,
		type: headers.get('content-type'),
		session: headers.get('mcp-session-id'),
		text: await response.text(),
	};
}

const asJson = {status: 200, type: 'application/json', session: 'one', text: JSON.stringify(answer)};
const asStream = {status: 200, type: 'text/event-stream', session: 'one'};

test('a quick answer is one JSON body, and leaves no timer', async () => {
	const {clock, exchange, received} = await openExchange();
	exchange.answer(answer);
	expect(await read(received)).toEqual(asJson);
	expect(clock.open()).toBe(0);
});

test('a slow answer is the last event of a stream that shows signs of life', async () => {
	const {clock, exchange, received} = await openExchange();
	await clock.advance(endpointLimits.answerMilliseconds);
	expect((await received).headers.get('content-type')).toBe('text/event-stream');
	await clock.advance(endpointLimits.keepStreamMilliseconds * 2);
	exchange.answer(answer);
	expect(await read(received)).toEqual({...asStream, text: `${': keep-alive\n\n'.repeat(2)}${event(answer)}`});
	expect(clock.open()).toBe(0);
});

test('a message before the answer makes the response a stream', async () => {
	const {clock, exchange, received} = await openExchange();
	const progress = {jsonrpc: '2.0', method: 'notifications/progress', params: {progressToken: 1, progress: 5}};
	exchange.notify(progress);
	exchange.answer(answer);
	exchange.notify(progress);
	expect(await read(received)).toEqual({...asStream, text: `${event(progress)}${event(answer)}`});
	expect(clock.open()).toBe(0);
});

test.each([
	{when: 'before anything was sent', wait: 0},
	{when: 'on its stream', wait: endpointLimits.answerMilliseconds},
])('a call that is cancelled $when gets no answer', async ({wait}) => {
	const {clock, exchange, received} = await openExchange();
	await clock.advance(wait);
	exchange.cancel('The endpoint was closed');
	exchange.answer(answer);
	expect(exchange.signal.reason).toMatchObject({code: 'cancelled', message: 'The endpoint was closed'});
	expect(await read(received)).toEqual({...asStream, text: ''});
	expect(clock.open()).toBe(0);
});

test('a client that hangs up cancels the call', async () => {
	const {clock, exchange, hangUp} = await openExchange();
	expect(exchange.signal.aborted).toBe(false);
	hangUp.abort();
	await vi.waitFor(() => expect(exchange.signal.aborted).toBe(true));
	expect(exchange.signal.reason).toMatchObject({code: 'cancelled', message: 'The client hung up'});
	exchange.answer(answer);
	expect(clock.open()).toBe(0);
});

test('a client that hung up before the call was read cancels it at once', async () => {
	const {clock, response, hangUp} = await openExchange();
	hangUp.abort();
	await vi.waitFor(() => expect(response.destroyed).toBe(true));
	const late = openCallExchange(response, {clock, headers: {}});
	expect(late.signal.reason).toMatchObject({code: 'cancelled', message: 'The client hung up'});
	expect(clock.open()).toBe(0);
});

test('a client that has its answer cancels nothing when it goes', async () => {
	const {exchange, received, hangUp} = await openExchange();
	exchange.answer(answer);
	await read(received);
	hangUp.abort();
	expect(exchange.signal.aborted).toBe(false);
});
