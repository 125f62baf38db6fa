import {Problem} from './problem.ts';
import {safeText} from './safe-text.ts';

/** The result of looking a typed text up among some ids. */
export type NamedId =
	| {readonly kind: 'found'; readonly id: string}
	| {readonly kind: 'none'}
	| {readonly kind: 'ambiguous'; readonly ids: readonly string[]}
	/** It would fit, but so short a text fits too many that were not meant. */
	| {readonly kind: 'too-short'};

const fewestCharacters = 4;
const shownCharacters = 8;

/** More candidates help nobody to choose: a collector may stop after this many. */
export const maxCandidates = 5;

/** An id as lists show it: its last eight characters. Ids of one day begin alike. */
export function shownId(id: string): string {
	return id.slice(-shownCharacters);
}

/** True if a text is the id, or its beginning or end and long enough to name it. */
export function isNamedBy(id: string, typed: string): boolean {
	return id === typed || (typed.length >= fewestCharacters && hasEnd(id, typed));
}

function hasEnd(id: string, typed: string): boolean {
	return id.startsWith(typed) || id.endsWith(typed);
}

/** Finds the id that a text names: in full, or by a beginning or end that no other id has (docs/cli.md, Ids). */
export function nameId(ids: Iterable<string>, typed: string): NamedId {
	const named = new Set<string>();
	for (const id of ids) {
		if (id === typed) {
			return {kind: 'found', id};
		}

		if (hasEnd(id, typed)) {
			named.add(id);
		}
	}

	const [id] = named;
	if (id === undefined) {
		return {kind: 'none'};
	}

	if (typed.length < fewestCharacters) {
		return {kind: 'too-short'};
	}

	return named.size === 1 ? {kind: 'found', id} : {kind: 'ambiguous', ids: [...named]};
}

/** The id that a text names; undefined when there is none. Throws `ambiguous_id` with the candidates, and `bad_usage` for too short a text. */
export function readNamedId(ids: Iterable<string>, typed: string): string | undefined {
	const named = nameId(ids, typed);
	switch (named.kind) {
		case 'found':
			return named.id;
		case 'none':
			return undefined;
		case 'ambiguous':
			throw new Problem('ambiguous_id', {message: ambiguityText(typed, named.ids)});
		case 'too-short':
			throw new Problem('bad_usage', {
				message: `"${safeText(typed)}" is too short. Type at least ${fewestCharacters} characters of the beginning or end of the id`,
			});
	}
}

function ambiguityText(typed: string, ids: readonly string[]): string {
	const shown = ids.slice(0, maxCandidates).map(id => safeText(id, {maximumCharacters: 100}));
	const more = ids.length > maxCandidates ? ' and more' : '';
	return `"${safeText(typed, {maximumCharacters: 100})}" matches more than one id: ${shown.join(', ')}${more}`;
}
