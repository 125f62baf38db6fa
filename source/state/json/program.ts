/** One row of `connect --json`: a program that can be connected. */
export type ProgramJson = {
	readonly name: string;
	readonly title: string;
	readonly installed: boolean;
	/** null: it has no entry that leads to Sluice. */
	readonly connected: 'stdio' | 'http' | null;
	/** The file of the entry, else the one that has its servers; null: there is none. */
	readonly file: string | null;
	/** True: it has our hook. null: it has no hook that Sluice answers. */
	readonly hook: boolean | null;
	/** Its other servers, which are not behind Sluice. */
	readonly servers_beside: readonly string[];
	/** A file that cannot be read. */
	readonly problem: string | null;
};

/** `connect PROGRAM --json`. */
export type ConnectedProgramJson = {
	readonly name: string;
	readonly file: string;
	readonly state: 'connected' | 'updated' | 'unchanged';
	readonly way: 'stdio' | 'http';
	readonly trusted: boolean;
	/** null: no key of this program is known. */
	readonly timeout_seconds: number | null;
	/** The file with our hook; null: there is none. */
	readonly hook: string | null;
	readonly servers_beside: readonly string[];
	/** The sentence to type into the agent. */
	readonly try: string;
};

/** `connect PROGRAM --remove --json`. `restored`: the file is as it was; `removed`: the entry alone was taken out. */
export type DisconnectedProgramJson = {
	readonly name: string;
	readonly file: string;
	readonly state: 'restored' | 'removed' | 'absent';
};
