import {type Fields} from './list-row.ts';

/** One word of a filter: `stripe`, `route:stripe`, `!status:2`. */
type Term = {readonly inverted: boolean; readonly field: string | undefined; readonly text: string};

/**
A test made from what a person typed: every word must hold. `key:value` looks into one field, `!` turns a word round, the rest looks everywhere.
Case does not matter; an empty filter lets everything pass; a key nobody has finds nothing.
*/
export function parseFilter(text: string): (fields: Fields) => boolean {
	const terms = text.toLowerCase().split(/\s+/u).filter(Boolean).map(parseTerm);
	return fields => terms.every(term => holds(term, fields) !== term.inverted);
}

function parseTerm(word: string): Term {
	const inverted = word.startsWith('!') && word.length > 1;
	const text = inverted ? word.slice(1) : word;
	const colon = text.indexOf(':');
	return colon > 0
		? {inverted, field: text.slice(0, colon), text: text.slice(colon + 1)}
		: {inverted, field: undefined, text};
}

function holds(term: Term, fields: Fields): boolean {
	if (term.field === undefined) {
		return Object.values(fields).some(value => value.toLowerCase().includes(term.text));
	}

	return Object.hasOwn(fields, term.field) && (fields[term.field] ?? '').toLowerCase().includes(term.text);
}
