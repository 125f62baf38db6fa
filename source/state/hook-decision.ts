import {type JsonObject} from '../util/json-text.ts';

/** A call that a program is about to make itself, and that Sluice decides about (docs/hooks.md). */
export type HookedCall = {
	/** The program that sent the hook its payload. */
	readonly program: string;
	/** The hook command that got it: the name after `sluice hook`. Programs run the hooks of others. */
	readonly via: string;
	/** `person`: a person is asked. `at-once`: it is only denied, or nothing is said about it. */
	readonly waits: 'person' | 'at-once';
	/** `never-asks`: the program does not ask a person itself in its present mode. */
	readonly mode: 'asks' | 'never-asks';
	/** As the program names it. */
	readonly tool: string;
	readonly input: JsonObject;
	/** The folder that the program works in; absent if unknown. */
	readonly cwd?: string | undefined;
	readonly session?: string | undefined;
	/** The program's own id of the call; absent where it gives none. */
	readonly tool_use_id?: string | undefined;
};

/** `undecided`: nobody decided, or it cannot be recorded; `message` says why. `nothing`: Sluice has nothing to say. */
export type HookedCallDecision = {
	readonly decision: 'allow' | 'deny' | 'undecided' | 'nothing';
	readonly message: string | null;
};
