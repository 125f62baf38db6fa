import {type ApprovalRequest} from '../../state/approval-event.ts';
import {minutesText} from '../text/duration-text.ts';
import {type Line, lineWithEnd, ruleLine, span} from '../text/span.ts';
import {hintText, glyphs} from '../text/status-text.ts';
import {type Reading, requestReading} from '../state/review.ts';
import {own} from '../text/own-glyphs.ts';
import {payloadWords, type ReviewView} from './review-layout.ts';

/** The card: who asks for what, the arguments and what else is to be read, the answers. */
export function cardPage(view: ReviewView): readonly Line[] {
	const {content, contentRows} = view.layout;
	const shown = content.lines.slice(view.review.scroll, view.review.scroll + contentRows);
	const blank = Array.from({length: contentRows - shown.length}, (): Line => []);
	const reading = requestReading(view.review, view.card, view.layout);
	return [
		...whoLines(view),
		...argumentsRules(view),
		...shown,
		...blank,
		...(view.readOnly ? lookingLines(view.layout.compact) : answerLines(view.card.kind, view.layout.compact, reading)),
	];
}

/** The page that asks once more before a rule is stored. */
export function alwaysPage(view: ReviewView): readonly Line[] {
	const {layout, width} = view;
	const who = layout.compact ? [] : whoLines(view);
	return [...who, ruleLine('always allow this tool', width, 'strong'), ...(layout.alwaysPage ?? [])];
}

/** The keys of the card in a dashboard that decides nothing; as many rows as the answers take. */
function lookingLines(compact: boolean): readonly Line[] {
	const words = [span(' read-only: ', 'busy'), span('it cannot be answered here')];
	const keys = [...key('v', 'all of it'), ...key('J/K', 'scroll'), ...key('n/b', 'next')];
	return compact ? [words, keys] : [[], words, keys, [...key('Esc', 'back')]];
}

/** The keys of the card. Only here do they mean anything. A request that was not read to its end can only be denied. */
function answerLines(kind: ApprovalRequest['kind'], compact: boolean, reading: Reading): readonly Line[] {
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
	const deny = row(['d', 'Deny (Enter does this)'], ['m', 'Deny and say why'], glyphs.preset);
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

/** The rule over the arguments: how many they are, what of them the card does not show, and whether all of it has been on the screen. */
function argumentsRules({card, layout, review, width}: ReviewView): readonly Line[] {
	const {content, contentRows, compact, hidden} = layout;
	const end = Math.min(content.lines.length, review.scroll + contentRows);
	const lines = own`${review.scroll + 1}–${end} of ${content.lines.length}, J scrolls`;
	const marks = (card.payloadPaths ?? []).length > 0 ? payloadWords : '';
	const shown = readingWords(requestReading(review, card, layout), card.cutBytes) || lines;
	const inRule = hidden.place === 'rule' ? hidden.words : [];
	const parts = ['arguments', compact ? '' : content.argumentSize, ...inRule, shown, marks];
	return [
		ruleLine(parts.filter(Boolean).join(own` · `), width),
		...(hidden.place === 'line' ? [[span(` ${hidden.words.join(own` · `)}`, 'bad')]] : []),
	];
}

/** A card that is cut never shows all, however much of it was read elsewhere. */
function readingWords(reading: Reading, cutBytes: number): string {
	switch (reading) {
		case 'read':
			return cutBytes === 0 ? 'all shown' : 'all read';
		case 'unread':
			return '';
	}
}

/** The first line: which request, how long it waits for an answer. */
export function reviewTitle({card, layout, place, width, now}: ReviewView): Line {
	const left = card.expiresAt - now;
	const soon = left < 10_000 ? own` · expiring` : '';
	const waiting = layout.compact ? '' : own`   oldest first · waiting ${minutesText(now - card.requestedAt)}`;
	return lineWithEnd(
		[span(` ${glyphs.approval} APPROVAL ${place}`, 'notice'), span(waiting, 'dim')],
		[span(`expires in ${minutesText(left)}${soon} `, left < 10_000 ? 'bad' : 'busy')],
		width,
	);
}

/** Who asks for what, and where the call comes from. */
function whoLines({card, layout, width}: ReviewView): readonly Line[] {
	const trust = card.trust === 'untrusted' ? span('UNTRUSTED', 'bad') : span('trusted', 'good');
	const from = layout.originLines.map((part, index) => [
		span(index === 0 ? ' from    ' : own`       … `, 'dim'),
		span(part),
	]);
	if (layout.compact) {
		return [[span(' call    ', 'dim'), span(`${card.server}/${card.tool}`, 'strong'), span(' '), trust], ...from];
	}

	return [
		ruleLine('who asks', width),
		[
			span(' server  ', 'dim'),
			span(card.server, 'strong'),
			span('   '),
			trust,
			span(`   ${card.transport}   ${card.address}`, 'dim'),
		],
		card.kind === 'sampling'
			? [span(' wants   ', 'dim'), span('an answer of your model', 'strong'), span(`   ${card.tool}`, 'dim')]
			: [span(' tool    ', 'dim'), span(card.tool, 'strong'), span(`   as ${card.registeredName}`, 'dim')],
		[span(' hints   ', 'dim'), span(hintText(card.hints)), span('   claimed by the server', 'dim')],
		...from,
	];
}
