/**
Rows after one of them came or changed: a known one keeps its place, a new one comes last, at most `limit` stay, the newest.
`isSame` finds the row that `row` replaces.
*/
export function putRow<Row>(
	rows: readonly Row[],
	row: Row,
	options: {readonly isSame: (other: Row) => boolean; readonly limit: number},
): readonly Row[] {
	const known = rows.findIndex(options.isSame);
	return known === -1 ? [...rows, row].slice(-options.limit) : rows.with(known, row);
}

/** A gateway may serve several profiles: names are only unique within one. */
type Owned = {readonly profile: string};

/** A test for rows of the same profile whose `name` member is the same. */
export function sameNamed<Name extends string>(name: Name, wanted: Owned & Readonly<Record<Name, string>>) {
	return (row: Owned & Readonly<Record<Name, string>>) => row.profile === wanted.profile && row[name] === wanted[name];
}

/** An event without its stamp and type, but with its profile: what is kept of it as a row. */
export function unstamped<Event extends {readonly type: string; readonly seq: number; readonly time: number}>(
	event: Event,
): Omit<Event, 'type' | 'seq' | 'time'> {
	const {type: _type, seq: _seq, time: _time, ...row} = event;
	return row;
}
