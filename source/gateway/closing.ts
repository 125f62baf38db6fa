/** What is closed when a gateway stops, in reverse order of its start. */
export type Closing = {
	readonly push: (close: () => unknown) => void;
	/** Keeps a place for something that is opened later; the returned function fills it. */
	readonly reserve: () => (close: () => unknown) => void;
	/** Closes what was pushed until then, and while it runs. */
	readonly run: () => Promise<void>;
};

/** Creates an empty list. One part that cannot close does not keep the others open. */
export function createClosing(): Closing {
	const parts: Array<() => unknown> = [];
	return {
		push: close => void parts.push(close),
		reserve() {
			let close: (() => unknown) | undefined;
			parts.push(() => close?.());
			return later => {
				close = later;
			};
		},
		async run() {
			for (let close = parts.pop(); close !== undefined; close = parts.pop()) {
				const part = close;
				// It goes down either way, and the log may be closed already.
				await (async () => part())().catch(() => undefined);
			}
		},
	};
}
