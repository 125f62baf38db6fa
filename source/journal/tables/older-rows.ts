import {type z} from 'zod';
import {callRow} from '../rows/call-rows.ts';
import {decisionRow} from '../rows/decision-rows.ts';
import {eventRow} from '../rows/event-rows.ts';
import {messageRow} from '../rows/message-rows.ts';
import {type OlderQuery, type OlderRows} from '../rows/older-rows.ts';
import {boundedLimit, type LeaveOut, type UnreadableRows} from '../rows/read-rows.ts';
import {eventColumns} from './events.ts';
import {messageRowColumns} from './messages.ts';
import {readRows, type TableAccess} from './query.ts';

const smallRecord = 'coalesce(small_record, record) AS record';

/** The reader of the rows before a time. Each table has an index of it. */
export function createOlderRows(
	{query, dialect}: TableAccess,
	unreadable: UnreadableRows,
): (asked: OlderQuery) => Promise<OlderRows> {
	return async ({before, limit}) => {
		const values = [before, boundedLimit(limit)];
		const read = <Row>(
			schema: z.ZodType<Row>,
			{table, columns, time = 'time'}: {readonly table: string; readonly columns: string; readonly time?: string},
			leaveOut?: LeaveOut,
		) =>
			readRows(
				schema,
				query(
					`SELECT ${columns}, ${dialect.nodeName} FROM ${table} WHERE ${time} < $1 ORDER BY ${time} DESC, sequence DESC LIMIT $2`,
					values,
				),
				leaveOut,
			);
		const calls = {table: 'calls', columns: `id, ${smallRecord}, outcome, code, ms`};
		const decisions = {table: 'decisions', columns: `id, ${smallRecord}`};
		return {
			events: await read(eventRow, {table: 'events', columns: eventColumns}, unreadable.of('events')),
			calls: await read(callRow, calls, unreadable.of('calls')),
			decisions: await read(decisionRow, decisions, unreadable.of('decisions')),
			messages: await read(messageRow, {table: 'answers', columns: messageRowColumns, time: 'changed_at'}),
		};
	};
}
