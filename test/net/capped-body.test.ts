import {describe, expect, test} from 'vitest';
import {capBody} from '../../source/net/capped-body.ts';

async function read(chunks: readonly string[], eventStream: boolean): Promise<string> {
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			for (const chunk of chunks) {
				controller.enqueue(Buffer.from(chunk));
			}

			controller.close();
		},
	});
	return new Response(capBody(body, {limitBytes: 10, eventStream})).text();
}

describe('a body passes', () => {
	test.each([
		['at the limit', ['1234567890'], false],
		['when each event keeps to it', ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n'], true],
		['when events end with CR LF', ['data: 1\r\n\r\n', 'data: 2\r\n\r\n'], true],
		['when a blank line is torn', ['data: 1\n', '\ndata: 2\n', '\ndata: 3\n\n'], true],
	] as const)('%s', async (_, chunks, eventStream) => {
		expect(await read(chunks, eventStream)).toBe(chunks.join(''));
	});
});

describe('a body fails', () => {
	test.each([
		['past the limit', ['123456', '7890', '1'], false],
		['with an event past the limit', ['data: 1\n\n', 'data: 12345', '67890'], true],
		['when many short lines make no event', ['a\n', 'b\n', 'c\n', 'd\n', 'e\n', 'f\n'], true],
	] as const)('%s', async (_, chunks, eventStream) => {
		await expect(read(chunks, eventStream)).rejects.toMatchObject({code: 'call_failed'});
	});
});
