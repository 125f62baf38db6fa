import {expect, test} from 'vitest';
import {readBodies} from '../../../source/mcp/protocol/response-bodies.ts';
import {isLogMessage} from '../../../source/mcp/protocol/log-message.ts';
import {createRawResponses} from '../../../source/mcp/protocol/raw-responses.ts';

const log = {jsonrpc: '2.0', method: 'notifications/message', params: {level: 'info', data: 'words'}};

test.each([
	['a log notification', log, true],
	['one without parameters', {jsonrpc: '2.0', method: 'notifications/message'}, true],
	['a request of that name, which wants an answer', {...log, id: 1}, false],
	['another notification', {...log, method: 'notifications/progress'}, false],
	['no message', {...log, jsonrpc: '1.0'}, false],
	['text', 'notifications/message', false],
])('%s: %j is left out: %j', (_, value, isLeftOut) => {
	expect(isLogMessage(value)).toBe(isLeftOut);
});

test('an event stream loses its log notifications, except those whose event has an id, and nothing else', async () => {
	const event = (value: object, id = '') => `${id}data: ${JSON.stringify(value)}\n\n`;
	const progress = {...log, method: 'notifications/progress'};
	const answer = {jsonrpc: '2.0', id: 1, result: {content: []}};
	const body = [event(log), event(progress), event(log, 'id: 7\n'), event(log), event(answer)].join('');
	const headers = {'content-type': 'text/event-stream'};
	const fetch = readBodies(async () => new Response(body, {headers}), createRawResponses());
	const read = await fetch('http://127.0.0.1/').then(response => response.text());
	expect(read).toBe([event(progress), event(log, 'id: 7\n'), event(answer)].join(''));
});
