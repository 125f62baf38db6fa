/**
Aborts `controller` with the signal's reason when the signal aborts; the returned function ends that. `AbortSignal.any` needs nobody to end it,
but each of its signals is kept until the next full collection of garbage, which is much for something every call needs.
*/
export function followSignal(controller: AbortController, signal: AbortSignal): () => void {
	const onAbort = () => controller.abort(signal.reason);
	if (signal.aborted) {
		onAbort();
	} else {
		signal.addEventListener('abort', onAbort, {once: true});
	}

	return () => signal.removeEventListener('abort', onAbort);
}

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
Calls `callback` when the signal aborts; the returned function ends that, and must be called when nobody waits any more. For signals that live long
and that very many wait for a moment: the signal gets one listener for all of them, at a tenth of the price. One that has aborted calls nobody.
*/
export function whenAborted(signal: AbortSignal, callback: () => void): () => void {
	const callbacks = waiting.get(signal) ?? listenOnce(signal);
	callbacks.add(callback);
	return () => void callbacks.delete(callback);
}

function listenOnce(signal: AbortSignal): Set<() => void> {
	const callbacks = new Set<() => void>();
	waiting.set(signal, callbacks);
	signal.addEventListener('abort', () => callbacks.forEach(callback => callback()), {once: true});
	return callbacks;
}
