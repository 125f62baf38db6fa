import {z} from 'zod';
import {type Asker, askerKinds, askerOf, type Origin} from '../../state/origin.ts';
import {jsonColumn} from './read-rows.ts';

/** Selects the requests of a profile that are counted: the newest 10,000 decisions. */
export type AskedQuery = {readonly profile: string};

/** Requests of one asker about one tool, as persons decided them. Times are milliseconds since the epoch. */
export type AskedCount = {
	readonly asker: Asker;
	readonly server: string;
	readonly tool: string;
	readonly asked: number;
	readonly allowed: number;
	readonly denied: number;
	readonly lastAt: number;
	/** The newest call that was allowed; absent where none was. */
	readonly callId?: string;
};

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

/** A row of counted requests. */
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
	.transform(({callId, ...counted}): AskedCount => ({...counted, ...(callId !== null && {callId})}));
