/** A value that is made when it is first asked for, and once: most starts and commands need few of the schemas there are. */
export function lazy<Value>(make: () => Value): () => Value {
	let made: {readonly value: Value} | undefined;
	return () => {
		made ??= {value: make()};
		return made.value;
	};
}
