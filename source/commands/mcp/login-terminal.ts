import {createInterface} from 'node:readline';

/** The terminal of a person who logs in. */
export type LoginTerminal = {
	/** Its size; undefined when stdout is none. */
	readonly size: () => {readonly columns: number; readonly rows: number} | undefined;
	/** Hands on each line that is typed or pasted, until the returned function is called. */
	readonly onLine: (listener: (line: string) => void) => () => void;
};

/** The terminal of this process. */
export function openLoginTerminal(): LoginTerminal {
	return {
		size: () => (process.stdout.isTTY ? {columns: process.stdout.columns, rows: process.stdout.rows} : undefined),
		onLine(listener) {
			const reader = createInterface({input: process.stdin});
			reader.on('line', listener);
			return () => reader.close();
		},
	};
}
