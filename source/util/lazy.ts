/** A value that is made when it is first asked for, and once: most starts and commands need few of the schemas there are. */
export function lazy<Value>(make: () => Value): () => Value {
	let made: {readonly value: Value} | undefined;
	return () => {
		made ??= {value: make()};
		return made.value;
	};
}

/** Something that is opened with its first use. */
type OpenedOnce<Value> = {
	/** Opens it, or gives what is open. Rejects as the opening does; the next use then tries again. */
	readonly use: () => Promise<Value>;
	/** What was used before, without opening it; undefined when nothing is open, also when the opening fails. Never rejects. */
	readonly opened: () => Promise<Value | undefined>;
};

/** Opens late and once: a failed opening, as a module that could not be read, is not remembered. */
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
