import {z} from 'zod';
import {safeText} from '../../util/safe-text.ts';

/** One instance of a gateway, from its start, or since others declared the earlier one dead. `leaseMilliseconds`: time that it counts as alive without a heartbeat. */
export type NodeInstance = {readonly name: string; readonly instanceId: string; readonly leaseMilliseconds: number};

/** Parts that runs name and a profile has: tool servers, skills, delivery platforms. */
export type RunAbilities = {
	readonly servers: readonly string[];
	readonly skills: readonly string[];
	readonly platforms: readonly string[];
};

/** Facts that a node publishes to the others. */
export type NodeFacts = {
	readonly version: string;
	/** The profiles that have a model. */
	readonly models: readonly string[];
	/** The profiles that have a console which shows what is asked. */
	readonly consoles: readonly string[];
	/** By profile; absent: a gateway of an older version. */
	readonly abilities?: Readonly<Record<string, RunAbilities>> | undefined;
	/** The number of runs that it could begin now. */
	readonly freeSlots?: number | undefined;
	/** The profiles that have a chat which counts as a console (docs/remote.md); absent in facts of earlier versions. */
	readonly channels?: readonly string[] | undefined;
	/** Milliseconds since the last key at a console of it, when it wrote this; absent before the first. */
	readonly sinceKey?: number;
};

/** `left`: it stopped in an orderly way; `dead`: another node said so, because its lease was over. */
type NodeState = 'alive' | 'left' | 'dead';

/** A node of the journal. Times are milliseconds since the epoch by the clock of the journal. */
export type NodeRow = {
	readonly name: string;
	readonly instanceId: string;
	readonly startedAt: number;
	readonly seenAt: number;
	readonly state: NodeState;
	readonly facts?: NodeFacts;
};

/** All nodes of the last day, oldest first, and the time by the clock of the journal. */
export type NodeList = {readonly now: number; readonly nodes: readonly NodeRow[]};

/**
Owner of the rows that a storage writes; null for a command, which begins nothing that another could take over. Rows expire by the clock
of the journal, which is `clockAhead` milliseconds ahead of that of this process.
*/
export type Owner = {instanceId: string | null; clockAhead: number};

/** True for rows whose owner is not alive, and for those that have none. */
export const isAbandoned = `NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.incarnation = owner AND nodes.state = 'alive')`;

/** True while an instance is alive, and for a command; of one that another node declared dead, nothing may be begun any more. */
export function isOwnerAlive(owner: string): string {
	return `(${owner}::text IS NULL OR EXISTS (SELECT 1 FROM nodes WHERE incarnation = ${owner} AND nodes.state = 'alive'))`;
}

/** The column with the name of the gateway that a row is of; absent in a file. The name is that of a configuration elsewhere. */
export const nodeColumn = z
	.string()
	.nullish()
	.transform(name => (name === undefined || name === null ? undefined : safeText(name, {maximumCharacters: 100})));

/** Nodes that are gone are listed for a day. */
export const forgetAfterMilliseconds = 86_400_000;

const names = z.array(z.string());

const nodeFacts: z.ZodType<NodeFacts> = z.object({
	version: z.string(),
	models: z.array(z.string()),
	consoles: z.array(z.string()),
	abilities: z.record(z.string(), z.object({servers: names, skills: names, platforms: names})).optional(),
	freeSlots: z.number().optional(),
	channels: z.array(z.string()).optional(),
	sinceKey: z.number().exactOptional(),
});

/** Facts of another version of the program that cannot be read are left out. */
function readFacts(text: string | null): NodeFacts | undefined {
	try {
		return text === null ? undefined : nodeFacts.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/** A row of the table. */
export const nodeRow = z
	.object({
		name: z.string(),
		instanceId: z.string(),
		startedAt: z.number(),
		seenAt: z.number(),
		state: z.enum(['alive', 'left', 'dead']),
		facts: z.string().nullable(),
	})
	.transform(({facts: written, ...node}): NodeRow => {
		const facts = readFacts(written);
		return {...node, ...(facts && {facts})};
	});
