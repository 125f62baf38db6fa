/**
Aborts `controller` with the signal's reason when the signal aborts; the returned function removes the listener. `AbortSignal.any` needs no removal,
but retains each of its signals until the next full garbage collection, which is too costly for every call.
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
Calls `callback` when the signal aborts; the returned function unsubscribes, and must be called when nobody waits any more. For long-lived signals with
very many short waits: the signal gets one listener for all of them, at a tenth of the cost. A signal that has already aborted calls nobody.
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
