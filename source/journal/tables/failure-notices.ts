import {z} from 'zod';
import {type OutgoingMessage} from '../rows/message-records.ts';
import {type Query, readRows} from './query.ts';

/** The table of what messages about failures were lately written for. Write inside a transaction. */
export type FailureNoticeTable = {
	/** Makes this message the last one of its key, and returns how many were left out before; undefined while the former one is too recent. The same again when the write is repeated. */
	readonly take: (notice: {
		readonly key: string;
		readonly messageId: string;
		readonly now: number;
	}) => Promise<number | undefined>;
};

/** One message in this time for equal reasons. */
const quietMilliseconds = 300_000;
const keptMilliseconds = 30 * 24 * 3_600_000;

const noticeRow = z.object({messageId: z.string(), noticedAt: z.number(), leftOut: z.number()});

/** The statements of the table. */
export function createFailureNoticeTable(query: Query): FailureNoticeTable {
	const insert = async (key: string, messageId: string, now: number) => {
		await query('DELETE FROM failure_notices WHERE noticed_at < $1', [now - keptMilliseconds]);
		const inserted = await query(
			`INSERT INTO failure_notices (key, message_id, noticed_at, left_out) VALUES ($1, $2, $3, 0)
			ON CONFLICT (key) DO NOTHING RETURNING 1`,
			[key, messageId, now],
		);
		return inserted.length > 0;
	};

	return {
		async take({key, messageId, now}) {
			if (await insert(key, messageId, now)) {
				return 0;
			}

			const text = `
				SELECT message_id AS "messageId", noticed_at AS "noticedAt", left_out AS "leftOut"
				FROM failure_notices WHERE key = $1 FOR UPDATE`;
			const [last] = await readRows(noticeRow, query(text, [key]));
			if (!last || last.messageId === messageId) {
				return 0;
			}

			// A clock that was set back does not keep messages away.
			if (Math.abs(now - last.noticedAt) < quietMilliseconds) {
				await query('UPDATE failure_notices SET left_out = left_out + 1 WHERE key = $1', [key]);
				return undefined;
			}

			await query('UPDATE failure_notices SET message_id = $1, noticed_at = $2, left_out = 0 WHERE key = $3', [
				messageId,
				now,
				key,
			]);
			return last.leftOut;
		},
	};
}

/** The message with the number of those that were left out before it. */
export function withLeftOut(message: OutgoingMessage, leftOut: number): OutgoingMessage {
	const before = leftOut === 1 ? '1 more failure' : `${leftOut} more failures`;
	return leftOut === 0
		? message
		: {...message, text: `${message.text}\n\n${before} for this reason since the last message about it.`};
}
