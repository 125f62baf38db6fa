/** A value created once, at its first use: most starts and commands need few of the schemas. */
export function lazy<Value>(make: () => Value): () => Value {
	let made: {readonly value: Value} | undefined;
	return () => {
		made ??= {value: make()};
		return made.value;
	};
}

/** A resource opened at its first use. */
type OpenedOnce<Value> = {
	/** Opens it, or returns the open one. Rejects as the opening does; the next use then retries. */
	readonly use: () => Promise<Value>;
	/** The resource used before, without opening it; undefined when nothing is open, also when the opening failed. Never rejects. */
	readonly opened: () => Promise<Value | undefined>;
};

/** Opens a resource at its first use and once: a failed opening, such as an unreadable module, is not cached. */
export function loadOnce<Value>(open: () => Promise<Value>): OpenedOnce<Value> {
	let opening: Promise<Value> | undefined;
	return {
		use() {
			opening ??= open().catch((caught: unknown) => {
				opening = undefined;
				throw caught;
			});
			return opening;
		},
		opened: async () => opening?.catch(() => undefined),
	};
}
