import {
	type DocumentChange,
	documentRow,
	type DocumentRow,
	type KnownDocument,
	type ReplaceOutcome,
} from '../rows/document-rows.ts';
import {type Query, readRows} from '../tables/query.ts';

/** The table of documents: what decides about calls, routes and jobs, and belongs to every gateway on this journal. */
export type DocumentTable = {
	readonly list: (known: readonly KnownDocument[]) => Promise<readonly DocumentRow[]>;
	readonly replace: (change: DocumentChange, now: number) => Promise<ReplaceOutcome>;
};

/** The statements of the table. */
export function createDocumentTable(query: Query): DocumentTable {
	return {
		list: known =>
			readRows(
				documentRow,
				query(
					`SELECT documents.profile, documents.name, documents.version,
						CASE WHEN documents.version = known.version THEN NULL ELSE documents.content END AS content
					FROM documents LEFT JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS known (profile, name, version)
						ON known.profile = documents.profile AND known.name = documents.name`,
					[known.map(({profile}) => profile), known.map(({name}) => name), known.map(({version}) => version)],
				),
			),
		async replace({profile, name, from, content, by}, now) {
			if (from === 0) {
				// There may be no row yet for which a claim of a call and this change could wait for each other.
				await query('LOCK TABLE documents IN EXCLUSIVE MODE');
			}

			// One statement, so that of two who change the same version one alone succeeds.
			const replaced = await query(
				`INSERT INTO documents (profile, name, version, content, changed_at, changed_by) VALUES ($1, $2, $3::bigint + 1, $4, $5, $6)
				ON CONFLICT (profile, name) DO UPDATE SET version = excluded.version, content = excluded.content,
					changed_at = excluded.changed_at, changed_by = excluded.changed_by
				WHERE documents.version = $3 RETURNING version`,
				[profile, name, from, content, now, by],
			);
			return replaced.length > 0 ? 'replaced' : 'conflict';
		},
	};
}
