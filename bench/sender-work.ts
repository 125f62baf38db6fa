/** The work of the sender. `rate` events per second, or as fast as the answers come when it is 0. */
export type SenderWork = {
	readonly port: number;
	/** Request line and headers without the last blank line; `{id}` is a place of twelve characters for a fresh id. */
	readonly head: string;
	readonly body: string;
	readonly connections: number;
	readonly rate: number;
	readonly warmUpSeconds: number;
	readonly seconds: number;
	/** Distinguishes the ids of this sender from those of all others. */
	readonly run: string;
};

/** The result. Latencies are in milliseconds, counted from when the event was due. */
export type SenderResult = {
	/** Everything, the warm-up included. */
	readonly sent: number;
	readonly answered: number;
	readonly refused: number;
	readonly perSecond: number;
	readonly p50: number;
	readonly p99: number;
	readonly maximum: number;
	readonly firstRefusal?: string;
};
