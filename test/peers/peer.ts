/** The subject of a completion. */
export type Reference =
	| {readonly type: 'ref/prompt'; readonly name: string}
	| {readonly type: 'ref/resource'; readonly uri: string};

export type Named = {readonly name: string};

/** A client that others have written, once it is connected. A result is whatever the client gives its user. */
export type PeerClient = {
	readonly tools: () => Promise<readonly string[]>;
	readonly call: (name: string, args: Record<string, unknown>) => Promise<unknown>;
	readonly resources: () => Promise<readonly string[]>;
	readonly templates: () => Promise<readonly string[]>;
	readonly read: (uri: string) => Promise<unknown>;
	readonly prompts: () => Promise<readonly string[]>;
	readonly prompt: (name: string, args: Record<string, string>) => Promise<unknown>;
	readonly complete: (
		reference: Reference,
		argument: {readonly name: string; readonly value: string},
	) => Promise<readonly string[]>;
	readonly close: () => Promise<void>;
};

/** The answer of every client that is asked for something by a server. */
export const accepted = {action: 'accept' as const, content: {name: 'Ada', check: true}};
