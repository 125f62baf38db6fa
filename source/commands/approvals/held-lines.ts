/** Lines of the log in a terminal that is asked something: none comes after the question. */
export type HeldLines = {
	readonly write: (line: string) => void;
	/** From now on lines wait. */
	readonly hold: () => void;
	/** Writes the lines that waited; later ones are written at once. */
	readonly release: () => void;
};

/** More than these nobody listens to; the file of the log has all of them. */
const maxHeldLines = 200;

/** Creates them; nothing waits at first. */
export function createHeldLines(write: (line: string) => void): HeldLines {
	let state: 'held' | 'flowing' = 'flowing';
	let held: string[] = [];
	let dropped = 0;
	return {
		write(line) {
			if (state === 'flowing') {
				write(line);
				return;
			}

			held.push(line);
			if (held.length > maxHeldLines) {
				held.shift();
				dropped++;
			}
		},
		hold() {
			state = 'held';
		},
		release() {
			state = 'flowing';
			const lines = held;
			const more = dropped;
			[held, dropped] = [[], 0];
			if (more > 0) {
				write(`${more} earlier lines are left out here; \`sluice logs\` has them.`);
			}

			lines.forEach(write);
		},
	};
}
