/** The facts of a call for the approval check. `readOnlyHint` comes from the server, so it may be of any type. */
type PolicyQuestion = {
	readonly trust: 'full' | 'untrusted';
	readonly readOnlyHint: unknown;
	/** A person approved this very definition before, for longer than once. */
	readonly remembered: boolean;
	/** The verdict of the rules; an undecided one asks. Default: none. */
	readonly rules?: 'deny' | 'ask' | 'allow' | 'none';
	/** `fresh`: a person has to approve this very call. */
	readonly approval?: 'fresh' | 'as-needed';
};

/** The reason that a call runs, or what happens to it instead. */
type Decision = 'deny' | 'ask' | 'run' | 'run-as-remembered' | 'run-by-rule';

/**
Decides if a call runs at once, a person is asked first, or it is denied (docs/tool-servers.md, Trust; docs/rules.md, Verdicts). Deny beats ask beats
allow; deny and ask beat trust, read-only claims and remembered approvals; allow only spares the asking.
Only `true` itself is a read-only claim; everything that is not plainly allowed asks.
*/
export function decide({trust, readOnlyHint, remembered, rules = 'none', approval}: PolicyQuestion): Decision {
	if (rules === 'deny' || rules === 'ask') {
		return rules;
	}

	if (approval === 'fresh') {
		return 'ask';
	}

	if (trust === 'full' || readOnlyHint === true) {
		return 'run';
	}

	if (remembered) {
		return 'run-as-remembered';
	}

	return rules === 'allow' ? 'run-by-rule' : 'ask';
}
