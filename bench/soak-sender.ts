import {createHmac} from 'node:crypto';
import {type Agent, request} from 'node:http';
import {secret} from './webhook-receivers.ts';

/** One signed try; the word of the answer, or undefined when there was none. */
export function post(
	{port, agent, path}: {readonly port: number; readonly agent: Agent; readonly path: string},
	id: string,
	body: string,
): Promise<string | undefined> {
	return new Promise(resolve => {
		const digest = createHmac('sha256', secret).update(body).digest('hex');
		const sent = request(
			{
				port,
				host: '127.0.0.1',
				agent,
				method: 'POST',
				path,
				timeout: 5000,
				headers: {
					'content-type': 'application/json',
					'content-length': Buffer.byteLength(body),
					'x-request-id': id,
					'x-hub-signature-256': `sha256=${digest}`,
				},
			},
			response => {
				let text = '';
				response.on('data', (chunk: Buffer) => void (text += chunk.toString()));
				response.once('error', () => resolve(undefined));
				response.once('close', () =>
					resolve(/"(accepted|coalesced|duplicate)"/.exec(text)?.[1] ?? String(response.statusCode)),
				);
			},
		);
		sent.once('timeout', () => sent.destroy());
		sent.once('error', () => resolve(undefined));
		sent.end(body);
	});
}
