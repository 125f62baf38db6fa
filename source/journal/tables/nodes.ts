import {z} from 'zod';
import {
	forgetAfterMilliseconds,
	nodeRow,
	type NodeFacts,
	type NodeList,
	type NodeInstance,
	type Owner,
} from '../rows/node-rows.ts';
import {type Query, readRows} from './query.ts';

/** The gateways of the journal (docs/postgresql.md, Several machines). Times are by the clock of the journal. Write inside a transaction. */
export type NodeTable = {
	/**
	From now on what is written belongs to this instance; earlier ones are dead: those of the same name in a database, all of a file, which one gateway
	at a time has. `dead`: another node has said so of this one, and nothing was written.
	*/
	readonly enter: (
		instance: NodeInstance,
		now: number,
		replaces: 'those of its name' | 'all others',
	) => Promise<'entered' | 'dead'>;
	/** `dead`: another node has said so, and has taken over what this one did. */
	readonly renew: (facts: NodeFacts, now: number) => Promise<'alive' | 'dead'>;
	/** Marks gateways dead that have not renewed within their lease; resolves with their names. */
	readonly expire: (now: number) => Promise<readonly string[]>;
	readonly leave: (now: number) => Promise<void>;
	readonly list: (now: number) => Promise<NodeList>;
};

const nameRow = z.object({name: z.string()});

/** The statements of the table; `owner` becomes the instance that enters. */
export function createNodeTable({query, owner}: {readonly query: Query; readonly owner: Owner}): NodeTable {
	return {
		async enter({name, instanceId, leaseMilliseconds}, now, replaces) {
			const entered = await query(
				`INSERT INTO nodes (incarnation, name, lease, started_at, seen_at, state) VALUES ($1, $2, $3, $4, $4, 'alive')
				ON CONFLICT (incarnation) DO UPDATE SET seen_at = excluded.seen_at WHERE nodes.state = 'alive' RETURNING 1`,
				[instanceId, name, leaseMilliseconds, now],
			);
			if (entered.length === 0) {
				return 'dead';
			}

			await query(
				`UPDATE nodes SET state = 'dead' WHERE incarnation <> $1 AND state = 'alive' AND ($2::text IS NULL OR name = $2)`,
				[instanceId, replaces === 'all others' ? null : name],
			);
			owner.instanceId = instanceId;
			return 'entered';
		},
		async renew(facts, now) {
			const renewed = await query(
				`UPDATE nodes SET seen_at = $1, facts = $2 WHERE incarnation = $3 AND state = 'alive' RETURNING 1`,
				[now, JSON.stringify(facts), owner.instanceId],
			);
			return renewed.length > 0 ? 'alive' : 'dead';
		},
		async expire(now) {
			const expired = await readRows(
				nameRow,
				query(
					`UPDATE nodes SET state = 'dead' WHERE incarnation IN (
						SELECT incarnation FROM nodes
						WHERE state = 'alive' AND incarnation <> $1 AND seen_at + lease < $2 FOR UPDATE SKIP LOCKED
					) RETURNING name`,
					[owner.instanceId, now],
				),
			);
			return expired.map(({name}) => name);
		},
		async leave(now) {
			await query(`UPDATE nodes SET seen_at = $1, state = 'left' WHERE incarnation = $2 AND state = 'alive'`, [
				now,
				owner.instanceId,
			]);
		},
		list: async now => ({
			now,
			nodes: await readRows(
				nodeRow,
				query(
					`SELECT name, incarnation AS "instanceId", started_at AS "startedAt", seen_at AS "seenAt", state, facts FROM nodes
					WHERE state = 'alive' OR seen_at >= $1 ORDER BY started_at, incarnation`,
					[now - forgetAfterMilliseconds],
				),
			),
		}),
	};
}
