import {type ServerNotice} from '../mcp/connection.ts';

/** The changes that the servers of a profile announce, besides those of their tools, and the resources whose readers wait for one. */
export type ServerNotices = {
	readonly report: (server: string, notice: ServerNotice) => void;
	/** The returned function unsubscribes. */
	readonly watch: (listener: (server: string, notice: ServerNotice) => void) => () => void;
	/** Adds a reader of a resource. The returned function removes it and says whether another one is left. */
	readonly enter: (server: string, uri: string) => () => 'last' | 'others';
};

/** Creates them, without readers. */
export function createServerNotices(): ServerNotices {
	const listeners = new Set<(server: string, notice: ServerNotice) => void>();
	const readers = new Map<string, number>();
	return {
		report(server, notice) {
			listeners.forEach(listener => listener(server, notice));
		},
		watch(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		enter(server, uri) {
			const key = JSON.stringify([server, uri]);
			readers.set(key, (readers.get(key) ?? 0) + 1);
			let entered = true;
			return () => {
				const left = (readers.get(key) ?? 0) - (entered ? 1 : 0);
				entered = false;
				if (left > 0) {
					readers.set(key, left);
					return 'others';
				}

				readers.delete(key);
				return 'last';
			};
		},
	};
}
