import {type ApprovalCard} from '../state/approval-event.ts';
import {type Line, span} from './span.ts';
import {signs} from './status-words.ts';

/** The keys of the card. Only here do they mean anything. */
export function answerLines(kind: ApprovalCard['kind'], compact: boolean): readonly Line[] {
	if (compact) {
		return [
			[key('d', 'deny'), key('m', 'deny+why'), key('a', 'once')].flat(),
			[key('s', 'until stop'), key('w', 'always …'), key('J/K', 'scroll')].flat(),
		];
	}

	const row = (first: readonly [string, string], second: readonly [string, string], mark = ' '): Line => [
		span(` ${mark} `, 'accent'),
		span(first[0].padEnd(3), 'accent'),
		span(first[1].padEnd(32)),
		span(second[0].padEnd(5), 'accent'),
		span(second[1]),
	];
	return [
		[],
		row(['d', 'Deny (Enter does this)'], ['m', 'Deny and say why'], signs.preset),
		row(
			['a', 'Allow once'],
			['s', kind === 'sampling' ? 'Allow its requests until Sluice stops' : 'Allow this tool until Sluice stops'],
		),
		row(
			['w', kind === 'sampling' ? 'Always allow its requests …' : 'Always allow this tool …'],
			['n/b', 'next/previous    J/K scroll'],
		),
	];
}

function key(name: string, words: string): Line {
	return [span(` ${name}`, 'accent'), span(` ${words} `)];
}
