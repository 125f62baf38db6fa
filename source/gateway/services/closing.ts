/** The close functions of a gateway's parts; a stop runs them in reverse order of the start. */
export type Closing = {
	readonly push: (close: () => unknown) => void;
	/** Keeps a place for something that is opened later; the returned function fills it. */
	readonly reserve: () => (close: () => unknown) => void;
	/** Has what may hang watched: `watch` gets the closing when it begins, and ends the wait for it by its rejection. */
	readonly guard: (watch: Watch) => void;
	/** Closes what was pushed until then, and while it runs. Rejects with what the guard rejects with. */
	readonly run: () => Promise<void>;
};

type Watch = (closed: Promise<void>) => Promise<void>;

/** Creates an empty list. One part that cannot close does not keep the others open. */
export function createClosing(): Closing {
	const parts: Array<() => unknown> = [];
	let watch: Watch = closed => closed;
	const closeAll = async () => {
		for (let close = parts.pop(); close !== undefined; close = parts.pop()) {
			const part = close;
			// It goes down either way, and the log may be closed already.
			await (async () => part())().catch(() => undefined);
		}
	};

	return {
		push: close => void parts.push(close),
		reserve() {
			let close: (() => unknown) | undefined;
			parts.push(() => close?.());
			return later => {
				close = later;
			};
		},
		guard(guarding) {
			watch = guarding;
		},
		run: () => watch(closeAll()),
	};
}
