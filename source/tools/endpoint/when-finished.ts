import {type Transformer, TransformStream} from 'node:stream/web';

/** The same response; `done` is called once its body was read to the end, was given up by its reader, or was never there. */
export function whenFinished(response: Response, done: () => void): Response {
	if (!response.body) {
		done();
		return response;
	}

	const watch: Transformer<Uint8Array, Uint8Array> = {flush: done, cancel: done};
	return new Response(response.body.pipeThrough(new TransformStream(watch)), response);
}
