import {z} from 'zod';
import {type Asker, askerKinds, askerOf, type Origin} from '../../state/origin.ts';
import {type AskedRow} from '../../state/view-event.ts';
import {jsonColumn} from './read-rows.ts';

/** Selects the requests of a profile that are counted: the newest 10,000 decisions. */
export type AskedQuery = {readonly profile: string};

/** The asker of a call as a row has it: rows with the same text are counted together. */
export function askerColumn(origin: Origin): string {
	const {kind, name} = askerOf(origin);
	return JSON.stringify([kind, name]);
}

/** The asker of a row. */
export const storedAsker: z.ZodType<Asker> = z
	.string()
	.transform(jsonColumn)
	.pipe(z.tuple([z.enum(askerKinds), z.string()]).transform(([kind, name]) => ({kind, name})));

/** A row of counted requests. Its texts are as they came: not safe to show. */
export const askedCount = z
	.object({
		asker: storedAsker,
		server: z.string(),
		tool: z.string(),
		asked: z.number(),
		allowed: z.number(),
		denied: z.number(),
		lastAt: z.number(),
		callId: z.string().nullable(),
	})
	.transform(({callId, ...counted}): AskedRow => ({...counted, ...(callId !== null && {callId})}));
