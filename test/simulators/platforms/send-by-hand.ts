import {request as httpRequest} from 'node:http';

/** A request written out by hand. */
export type WrittenRequest = {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

/** An answer; `body` is parsed when it is JSON. */
export type ReadAnswer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: unknown;
};

/** Sends a request to `http://…` or to a socket file. */
export function sendByHand(baseUrl: string, written: WrittenRequest, signal?: AbortSignal): Promise<ReadAnswer> {
	const place = baseUrl.startsWith('http') ? {port: new URL(baseUrl).port} : {socketPath: baseUrl};
	const {method, path, headers} = written;
	return new Promise((resolve, reject) => {
		const request = httpRequest({...place, method, path, headers, signal, agent: false}, response => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => void chunks.push(chunk));
			response.on('end', () => {
				const text = Buffer.concat(chunks).toString('utf8');
				const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
				const body: unknown = isJson ? JSON.parse(text) : text;
				resolve({status: response.statusCode ?? 0, headers: response.headers, body});
			});
		});
		request.on('error', reject);
		request.end(written.body);
	});
}
