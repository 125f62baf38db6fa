import {type DatabaseSync} from 'node:sqlite';
import {
	goneMilliseconds,
	nodeRow,
	type NodeFacts,
	type NodeList,
	type NodeIncarnation,
	type Writer,
} from '../rows/node-rows.ts';
import {readRows} from '../rows/read-rows.ts';

/** The gateways of the journal (docs/deployment.md, Several machines). One at a time has the file, so that the others are dead. Write inside a transaction. */
export type NodeTable = {
	/** From now on what is written belongs to this incarnation. */
	readonly enter: (incarnation: NodeIncarnation, now: number) => 'entered';
	readonly renew: (facts: NodeFacts, now: number) => 'alive';
	readonly leave: (now: number) => void;
	readonly list: (now: number) => NodeList;
};

/** Prepares the statements of the table; `writer` becomes the incarnation that enters. */
export function createNodeTable(database: DatabaseSync, writer: Writer): NodeTable {
	const bury = database.prepare(`UPDATE nodes SET state = 'dead' WHERE incarnation <> ? AND state = 'alive'`);
	const forget = database.prepare(`DELETE FROM nodes WHERE state <> 'alive' AND seen_at < ?`);
	const enter = database.prepare(`
		INSERT INTO nodes (incarnation, name, lease, started_at, seen_at, state) VALUES (?1, ?2, ?3, ?4, ?4, 'alive')
		ON CONFLICT (incarnation) DO UPDATE SET seen_at = excluded.seen_at, state = 'alive'
	`);
	const renew = database.prepare('UPDATE nodes SET seen_at = ?, facts = ? WHERE incarnation = ?');
	const leave = database.prepare(`UPDATE nodes SET seen_at = ?, state = 'left' WHERE incarnation = ?`);
	const list = database.prepare(
		'SELECT name, incarnation, started_at AS startedAt, seen_at AS seenAt, state, facts FROM nodes ORDER BY started_at, incarnation',
	);
	return {
		enter({name, incarnation, leaseMilliseconds}, now) {
			bury.run(incarnation);
			forget.run(now - goneMilliseconds);
			enter.run(incarnation, name, leaseMilliseconds, now);
			writer.incarnation = incarnation;
			return 'entered';
		},
		renew(facts, now) {
			renew.run(now, JSON.stringify(facts), writer.incarnation);
			return 'alive';
		},
		leave: now => void leave.run(now, writer.incarnation),
		list: now => ({now, nodes: readRows(nodeRow, () => list.all())}),
	};
}
