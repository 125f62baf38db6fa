/** A signal that is never aborted. */
export function neverAborted(): AbortSignal {
	return new AbortController().signal;
}
