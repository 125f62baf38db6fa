import {type RehearsalFacts} from '../../approvals/rehearsal.ts';
import {hookInputSchema, isHookServer} from '../../config/hooks/hook-tools.ts';
import {builtInServer} from '../../config/servers/server-entry.ts';
import {calledName} from '../../tools/registered-tool.ts';
import {type JsonObject} from '../../util/json-text.ts';

/** The facts that decide about calls besides arguments and rules, as data that can be posted to another thread. */
export type ProfileFacts = {
	/** By server. */
	readonly trusts: ReadonlyMap<string, 'full' | 'untrusted'>;
	/** The definitions that are approved always, by `definitionKey`. */
	readonly approved: ReadonlySet<string>;
	readonly pins: RehearsalFacts['pins'];
	/** Input schemas of the registered tools, by `toolKey`; empty if they are not known. */
	readonly inputSchemas: ReadonlyMap<string, JsonObject>;
};

/** The facts in the form that a rehearsal reads. */
export function rehearsalFacts({trusts, approved, pins, inputSchemas}: ProfileFacts): RehearsalFacts {
	return {
		// Of a server that is gone nothing is known.
		trustOf: server => trusts.get(server) ?? (server === builtInServer ? 'full' : 'untrusted'),
		isRemembered: ({server, tool}, fingerprint) => approved.has(definitionKey({server, tool, fingerprint})),
		pins,
		registeredName: calledName,
		inputSchemaOf: (server, tool) => (isHookServer(server) ? hookInputSchema : inputSchemas.get(toolKey(server, tool))),
	};
}

/** A tool as the key of a map. */
export function toolKey(server: string, tool: string): string {
	return JSON.stringify([server, tool]);
}

/** A definition of a tool as the member of a set. */
export function definitionKey(defined: {
	readonly server: string;
	readonly tool: string;
	readonly fingerprint: string;
}): string {
	const {server, tool, fingerprint} = defined;
	return JSON.stringify([server, tool, fingerprint]);
}
