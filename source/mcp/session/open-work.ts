/** Work that goes on by itself and must be over before its owner is. */
export type OpenWork = {
	/** Takes note of work that never rejects. */
	readonly add: (work: Promise<void>) => void;
	/** What is under way now. */
	readonly now: () => ReadonlyArray<Promise<void>>;
	/** Resolves when nothing is under way any more, also nothing that began meanwhile. */
	readonly over: () => Promise<void>;
};

/** Opens an empty list of work. */
export function createOpenWork(): OpenWork {
	const open = new Set<Promise<void>>();
	return {
		add(work) {
			const tracked: Promise<void> = work.finally(() => open.delete(tracked));
			open.add(tracked);
		},
		now: () => [...open],
		async over() {
			while (open.size > 0) {
				await Promise.all(open);
			}
		},
	};
}
