import {z} from 'zod';
import {type ClaimOutcome, type JobClaim} from '../rows/records.ts';
import {type Query, readRows} from './query.ts';

/** Claims of jobs by runs (docs/jobs.md, Scheduled jobs): one at a time and each slot once, across processes. */
export type JobClaimTable = {
	readonly claim: (claim: JobClaim) => Promise<ClaimOutcome>;
	/** Releases the job, unless another run claims it. */
	readonly release: (claim: Pick<JobClaim, 'jobId' | 'runId'>) => Promise<void>;
	/** The same, and the slot may be claimed again. */
	readonly withdraw: (claim: Pick<JobClaim, 'jobId' | 'runId'>) => Promise<void>;
	/** The active claims. */
	readonly list: () => Promise<readonly JobClaim[]>;
};

const claimRow = z.object({jobId: z.string(), slot: z.number(), runId: z.string()});
const slotRow = z.object({slot: z.number()});

/** The statements of the table. */
export function createJobClaimTable(query: Query): JobClaimTable {
	return {
		async claim({jobId, slot, runId}) {
			// One statement, so that of two processes that try it at once one alone gets the job.
			const claimed = await query(
				`INSERT INTO job_claims (job_id, slot, run_id) VALUES ($1, $2, $3)
				ON CONFLICT (job_id) DO UPDATE SET slot = excluded.slot, run_id = excluded.run_id
				WHERE job_claims.run_id IS NULL AND job_claims.slot < excluded.slot RETURNING job_id`,
				[jobId, slot, runId],
			);
			if (claimed.length > 0) {
				return 'claimed';
			}

			const [last] = await readRows(slotRow, query('SELECT slot FROM job_claims WHERE job_id = $1', [jobId]));
			return last && last.slot < slot ? 'running' : 'late';
		},
		async release({jobId, runId}) {
			await query('UPDATE job_claims SET run_id = NULL WHERE job_id = $1 AND run_id = $2', [jobId, runId]);
		},
		async withdraw({jobId, runId}) {
			const text = 'UPDATE job_claims SET run_id = NULL, slot = slot - 1 WHERE job_id = $1 AND run_id = $2';
			await query(text, [jobId, runId]);
		},
		list: () =>
			readRows(
				claimRow,
				query('SELECT job_id AS "jobId", slot, run_id AS "runId" FROM job_claims WHERE run_id IS NOT NULL'),
			),
	};
}
