import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type Reading} from '../state/mode.ts';
import {own} from '../text/own-signs.ts';
import {type Line, span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';

/** The keys of the card. Only here do they mean anything. A request that was not read to its end can only be denied. */
export function answerLines(kind: ApprovalRequest['kind'], compact: boolean, reading: Reading): readonly Line[] {
	if (compact) {
		if (reading === 'unread') {
			return [
				[key('d', 'deny'), key('m', 'deny+why'), key('v', 'all of it')].flat(),
				[key('J/K', 'scroll'), span(' nothing else yet', 'dim')].flat(),
			];
		}

		return [
			[key('d', 'deny'), key('m', 'deny+why'), key('a', 'once')].flat(),
			[key('s', 'until stop'), key('w', own`always …`), key('v', 'all')].flat(),
		];
	}

	const row = (first: readonly [string, string], second: readonly [string, string], mark = ' '): Line => [
		span(` ${mark} `, 'accent'),
		span(first[0].padEnd(3), 'accent'),
		span(first[1].padEnd(32)),
		span(second[0].padEnd(5), 'accent'),
		span(second[1]),
	];
	const deny = row(['d', 'Deny (Enter does this)'], ['m', 'Deny and say why'], signs.preset);
	if (reading === 'unread') {
		return [
			[],
			deny,
			row(['v', 'Read all of it, to its end'], ['', 'until then it can only be denied']),
			row(['J', 'Scroll on'], ['n/b', 'next/previous']),
		];
	}

	const isSampling = kind === 'sampling';
	return [
		[],
		deny,
		row(
			['a', 'Allow once'],
			['s', isSampling ? 'Allow its requests until Sluice stops' : 'Allow this tool until Sluice stops'],
		),
		row(
			['w', isSampling ? own`Always allow its requests …` : own`Always allow this tool …`],
			['n/b', 'next/previous   J/K scroll   v all'],
		),
	];
}

function key(name: string, words: string): Line {
	return [span(` ${name}`, 'accent'), span(` ${words} `)];
}
