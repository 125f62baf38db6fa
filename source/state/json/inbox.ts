/** `inbox --json`, one row: something that waits for a person. Times are milliseconds since the epoch. */
export type InboxJson = {
	readonly kind: 'approval' | 'question' | 'run' | 'uncertain' | 'login' | 'delivery';
	/** Of the request, run or call; the name of the server for a login. */
	readonly id: string;
	/** Null for a login. */
	readonly time: number | null;
	/** The tool, the asker, the route or job, or the platform. */
	readonly subject: string;
	readonly reason: string | null;
	/** The command that shows or answers it; null: it ends by itself. */
	readonly command: string | null;
};
