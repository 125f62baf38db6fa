/** Rows that people name. */
export type NamedRow = 'event' | 'run' | 'call' | 'delivery';

/** Selects rows whose id begins or ends with a text, in one slice of the ids below `before`; without it, of the newest. */
export type IdQuery = {readonly of: NamedRow; readonly part: string; readonly before?: string};

/** The ids, newest first, and where the next slice begins; the last one has no `next`. */
export type IdSlice = {readonly ids: readonly string[]; readonly next?: string};
