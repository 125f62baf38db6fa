import {z} from 'zod';

/** A file that came with an event. Name and type are untrusted text: no part of either is used as a path. */
export type EventFile = {readonly name: string; readonly contentType: string; readonly content: Uint8Array};

/** A stored file without its content. `number` counts from 1, in the order in which the files were sent. */
export type EventFileRow = {
	readonly number: number;
	readonly name: string;
	readonly contentType: string;
	readonly bytes: number;
};

/** The columns of a file but its content, in the order in which they are bound. */
export type FileColumns = readonly [
	eventId: string,
	number: number,
	time: number,
	name: string,
	contentType: string,
	bytes: number,
];

/** An event with its files, if any. */
type WithFiles = {readonly id: string; readonly time: number; readonly files?: readonly EventFile[]};

/** The columns of the files of an event; undefined when it has none. */
export function fileColumns({id, time, files = []}: WithFiles): readonly FileColumns[] | undefined {
	return files.length === 0
		? undefined
		: files.map(({name, contentType, content}, index) => [id, index + 1, time, name, contentType, content.length]);
}

/** The contents of the files of an event, in the order of their columns. */
export function fileContents({files = []}: Pick<WithFiles, 'files'>): readonly Uint8Array[] {
	return files.map(({content}) => content);
}

/** A row of a list of files. */
export const eventFileRow = z.object({
	number: z.number(),
	name: z.string(),
	contentType: z.string(),
	bytes: z.number(),
});
