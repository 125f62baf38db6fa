import {z} from 'zod';

/** A document of a profile, such as its stored rules. */
export type DocumentKey = {readonly profile: string; readonly name: string};

/** A document as its reader knows it; the first version is 1. */
export type KnownDocument = DocumentKey & {readonly version: number};

/** A stored document; without its content where the reader knows this version. */
export type DocumentRow = KnownDocument & {readonly content: string | null};

export const documentRow: z.ZodType<DocumentRow> = z.object({
	profile: z.string(),
	name: z.string(),
	version: z.number(),
	content: z.string().nullable(),
});

/** The next content of a document. */
export type DocumentChange = DocumentKey & {
	/** The version that the change was made from; 0: there was none. */
	readonly from: number;
	readonly content: string;
	/** Author of the version, for a person who reads the table. */
	readonly by: string;
};

/** `conflict`: somebody else changed the document since, and nothing was written. */
export type ReplaceOutcome = 'replaced' | 'conflict';
