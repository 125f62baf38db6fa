import {type DatabaseSync} from 'node:sqlite';
import {z} from 'zod';
import {readRows} from '../rows/read-rows.ts';
import {type ClaimOutcome, type JobClaim} from '../records.ts';

/** Which run may execute a job (docs/agents.md, Scheduled jobs): one at a time and each slot once, across processes. */
export type JobClaimTable = {
	readonly claim: (claim: JobClaim) => ClaimOutcome;
	/** Releases the job, unless another run claims it. */
	readonly release: (claim: Pick<JobClaim, 'jobId' | 'runId'>) => void;
	/** The same, and the slot may be claimed again. */
	readonly withdraw: (claim: Pick<JobClaim, 'jobId' | 'runId'>) => void;
	/** The active claims. */
	readonly list: () => readonly JobClaim[];
};

const claimRow = z.object({jobId: z.string(), slot: z.number(), runId: z.string()});
const lastClaimRow = z.object({slot: z.number(), runId: z.string().nullable()});

/** Prepares the statements of the table. */
export function createJobClaimTable(database: DatabaseSync): JobClaimTable {
	const find = database.prepare('SELECT slot, run_id AS runId FROM job_claims WHERE job_id = ?');
	const put = database.prepare(`
		INSERT INTO job_claims (job_id, slot, run_id) VALUES (?, ?, ?)
		ON CONFLICT (job_id) DO UPDATE SET slot = excluded.slot, run_id = excluded.run_id
	`);
	const release = database.prepare('UPDATE job_claims SET run_id = NULL WHERE job_id = ? AND run_id = ?');
	const withdraw = database.prepare(
		'UPDATE job_claims SET run_id = NULL, slot = slot - 1 WHERE job_id = ? AND run_id = ?',
	);
	const list = database.prepare(
		'SELECT job_id AS jobId, slot, run_id AS runId FROM job_claims WHERE run_id IS NOT NULL',
	);
	return {
		claim({jobId, slot, runId}) {
			const lastClaim = readRows(lastClaimRow, () => find.all(jobId))[0];
			if (lastClaim && lastClaim.slot >= slot) {
				return 'late';
			}

			if (lastClaim && lastClaim.runId !== null) {
				return 'running';
			}

			put.run(jobId, slot, runId);
			return 'claimed';
		},
		release: ({jobId, runId}) => void release.run(jobId, runId),
		withdraw: ({jobId, runId}) => void withdraw.run(jobId, runId),
		list: () => readRows(claimRow, () => list.all()),
	};
}
