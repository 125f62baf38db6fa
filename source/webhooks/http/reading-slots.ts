/** Bounds how many bodies of senders who are not yet verified are read at once, per route (docs/webhooks.md, Answers). */
export type ReadingSlots = {
	/** Takes a place, or answers undefined when all are taken. The returned function gives it back, once. */
	readonly take: (route: string) => (() => void) | undefined;
};

/** Opens `limit` places for each route. */
export function createReadingSlots(limit: number): ReadingSlots {
	const taken = new Map<string, number>();
	return {
		take(route) {
			const count = taken.get(route) ?? 0;
			if (count >= limit) {
				return undefined;
			}

			taken.set(route, count + 1);
			let isHeld = true;
			return () => {
				if (isHeld) {
					isHeld = false;
					give(taken, route);
				}
			};
		},
	};
}

function give(taken: Map<string, number>, route: string): void {
	const count = (taken.get(route) ?? 1) - 1;
	if (count === 0) {
		taken.delete(route);
	} else {
		taken.set(route, count);
	}
}
