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
