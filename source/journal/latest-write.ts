/** Writes the latest of the values that it is given, one at a time: none overtakes another that is tried again. After a write that is given up, nothing more. */
export function createLatestWrite<Value>(write: (value: Value) => Promise<unknown>): (value: Value) => void {
	let next: {readonly value: Value} | undefined;
	let phase: 'idle' | 'writing' | 'given-up' = 'idle';
	const writeAll = async () => {
		phase = 'writing';
		try {
			for (let current = next; current; current = next) {
				next = undefined;
				await write(current.value);
			}

			phase = 'idle';
		} catch {
			// The journal has reported it.
			phase = 'given-up';
		}
	};

	return value => {
		next = {value};
		if (phase === 'idle') {
			void writeAll();
		}
	};
}
