/** A server somebody wants to have installed, from a link. Nothing is written before a person confirms (docs/tool-servers.md, Install links). Texts are safe to show. */
export type ProposalDetails = {
	readonly id: string;
	readonly name: string;
	/** `taken`: a server of this name is configured; only a new name can be confirmed. */
	readonly nameState: 'free' | 'taken';
	/** The whole entry, formatted, line by line; invisible characters are marked. */
	readonly entryLines: readonly string[];
	/** Command and arguments, one per line; empty for addresses. */
	readonly commandLines: readonly string[];
	/** What deserves a second look, in words. */
	readonly warnings: readonly string[];
	readonly requestedAt: number;
};

/** The life of a proposal. */
export type ProposalEvent =
	| ({readonly type: 'proposal.asked'} & ProposalDetails)
	| {
			readonly type: 'proposal.settled';
			readonly id: string;
			readonly outcome: 'installed' | 'cancelled' | 'withdrawn';
			readonly name?: string;
	  };
