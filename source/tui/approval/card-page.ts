import {type ApprovalScope} from '../../state/approval-event.ts';
import {
	type DecisionChoices,
	decisionChoices,
	type DecisionFacts,
	decisionFacts,
	type Reading,
	type RuleChoice,
	thisCommandWords,
} from '../../state/decision.ts';
import {deadlineText, minutesText} from '../text/duration-text.ts';
import {type Line, lineWithEnd, ruleLine, span} from '../text/span.ts';
import {withHit} from '../text/search-hits.ts';
import {hintText, glyphs} from '../../state/entities/status-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cutToWidth} from '../text/text-width.ts';
import {cardReading, payloadWords, placeText, type ReviewLayout, type ReviewView} from './review-layout.ts';
import {shownName, toolText, uncut} from '../../util/safe-text.ts';
import {type ValueForm} from '../../util/values/value-lines.ts';

/** The card: who asks for what, the arguments and what else is to be read, the answers. */
export function cardPage(view: ReviewView): readonly Line[] {
	const {content, contentRows} = view.layout;
	const {scroll, found} = view.review;
	const shown = withHit(content.lines.slice(scroll, scroll + contentRows), scroll, found);
	const blank = Array.from({length: contentRows - shown.length}, (): Line => []);
	const reading = cardReading(view.review, view.card, view.layout);
	return [
		...whoLines(view),
		...argumentsRules(view),
		...shown,
		...blank,
		...(view.readOnly ? lookingLines(view.layout) : answerLines(view, reading)),
	];
}

/** The page that asks once more before a rule is stored. */
export function alwaysPage(view: ReviewView): readonly Line[] {
	const {layout, width} = view;
	const who = layout.compact ? [] : whoLines(view);
	return [...who, ruleLine('always allow this tool', width, 'strong'), ...(layout.alwaysPage ?? [])];
}

/** The keys of the card in a dashboard that decides nothing; as many rows as the answers take. */
function lookingLines({compact, answerRows, content}: ReviewLayout): readonly Line[] {
	const words = [span(' read-only: ', 'busy'), span('it cannot be answered here')];
	const keys = [
		...key('v', 'all of it'),
		...key('J/K', 'scroll'),
		...key('n/b', 'next'),
		...(content.nextForm ? key('t', formWords[content.nextForm]) : []),
	];
	return compact ? [words, keys] : filled([[], words, keys, [...key('Esc', 'back')]], answerRows);
}

/** The next form of the arguments, in a word. */
const formWords: Readonly<Record<ValueForm, string>> = {folded: 'lines', lines: 'unfold', raw: 'raw'};

/** The keys of the card. Only here do they mean anything. A request that was not read to its end can only be denied. */
function answerLines({card, layout}: ReviewView, reading: Reading): readonly Line[] {
	const choices = decisionChoices(card, reading);
	if (layout.compact) {
		return reading === 'unread'
			? unreadKeys(layout.content)
			: compactKeys(choices, decisionFacts(card), layout.content.nextForm);
	}

	const {nextForm, foldedLines} = layout.content;
	const form = nextForm && `t ${formWords[nextForm]}`;
	const deny = [['d', 'Deny (Enter does this)'] as const, ['m', 'Deny and say why'] as const];
	const answers =
		reading === 'unread'
			? [
					['v', 'Read all of it, to its end'] as const,
					['', 'until then it can only be denied'] as const,
					foldedLines > 0 ? (['t', 'Show the unchanged lines'] as const) : (['J', 'Scroll on'] as const),
					['n/b', ['next/previous', foldedLines > 0 ? undefined : form].filter(Boolean).join('   ')] as const,
				]
			: [...approvalWords(card, choices.scopes), ...withNavigation(ruleWords(choices.rule), form)];
	return filled([[], ...inPairs([...deny, ...answers])], layout.answerRows);
}

/** A key and what it does. */
type Answer = readonly [key: string, words: string];

/** The scopes that the request may be approved for; the longest words are in the second column. */
function approvalWords(card: ReviewView['card'], offered: readonly ApprovalScope[]): readonly Answer[] {
	const {subject, liftedFor} = decisionFacts(card);
	const words: Readonly<Record<ApprovalScope, Answer>> = {
		once: ['a', liftedFor === undefined ? 'Allow once' : `Lift the limit for ${liftedFor}`],
		run: ['r', `Allow ${subject} for this run`],
		session: ['s', `Allow ${subject} until Sluice stops`],
		always: ['w', uiText`Always allow ${subject} …`],
	};
	return (['once', 'session', 'run', 'always'] as const)
		.filter(scope => offered.includes(scope))
		.map(scope => words[scope]);
}

function ruleWords(rule: RuleChoice): readonly Answer[] {
	switch (rule.kind) {
		case 'here':
			return [['p', rule.about === 'arguments' ? uiText`Propose a rule from it …` : uiText`${thisCommandWords} …`]];
		case 'elsewhere':
			return [['', `a rule: only at ${cutToWidth(rule.node, 14)}`]];
		case 'none':
			return [];
	}
}

/** Long words stand behind it, alone in their row. */
function withNavigation(rule: readonly Answer[], form: string | undefined): readonly Answer[] {
	const navigation: Answer = [
		'n/b',
		form ? `next/prev  J/K scroll  v all  ${form}` : 'next/previous   J/K scroll   v all',
	];
	return rule.some(([, words]) => words.length > answerCells) ? [navigation, ...rule] : [...rule, navigation];
}

/** The second answer of a row has more room. */
const answerCells = 37;

/** Room for the longest key, `n/b`, and a blank. */
const keyCells = 4;

/** Two answers in a row; the first row has the one that Enter gives. */
function inPairs(answers: readonly Answer[]): readonly Line[] {
	const rows: Line[] = [];
	for (let index = 0; index < answers.length; index += 2) {
		const [first, firstWords] = answers[index] ?? ['', ''];
		const [second, secondWords] = answers[index + 1] ?? ['', ''];
		rows.push([
			span(` ${index === 0 ? glyphs.preset : ' '} `, 'accent'),
			span(first.padEnd(keyCells), 'accent'),
			span(firstWords.padEnd(32)),
			span(second.padEnd(keyCells), 'accent'),
			span(secondWords),
		]);
	}

	return rows;
}

function filled(lines: readonly Line[], rows: number): readonly Line[] {
	return [...lines, ...Array.from({length: Math.max(0, rows - lines.length)}, (): Line => [])];
}

/** The keys in short, on a small terminal. */
function compactKeys(
	{scopes: offered, rule}: DecisionChoices,
	{liftedFor}: Pick<DecisionFacts, 'liftedFor'>,
	nextForm: ValueForm | undefined,
): readonly Line[] {
	const further = [
		...(offered.includes('session') ? key('s', 'until stop') : []),
		...(offered.includes('always') ? key('w', 'always') : []),
		...(rule.kind === 'here' ? key('p', 'rule') : []),
	];
	return [
		[
			key('d', 'deny'),
			key('m', 'deny+why'),
			offered.includes('once') ? key('a', liftedFor ?? 'once') : [],
			offered.includes('run') ? key('r', 'run') : [],
		].flat(),
		[...further, ...key('v', 'all'), ...(nextForm ? key('t', formWords[nextForm]) : [])],
	];
}

function unreadKeys({foldedLines}: ReviewLayout['content']): readonly Line[] {
	return [
		[key('d', 'deny'), key('m', 'deny+why'), key('v', 'all of it')].flat(),
		[key('J/K', 'scroll'), foldedLines > 0 ? key('t', formWords.lines) : span(' nothing else yet', 'dim')].flat(),
	];
}

function key(name: string, words: string): Line {
	return [span(` ${name}`, 'accent'), span(` ${words} `)];
}

/** The rule over the arguments: how many they are, what of them the card does not show, and whether all of it has been on the screen. */
function argumentsRules({card, layout, review, width}: ReviewView): readonly Line[] {
	const {content, contentRows, compact, hidden} = layout;
	const end = Math.min(content.lines.length, review.scroll + contentRows);
	const lines = placeText(review.scroll + 1, end, content);
	const marks = decisionFacts(card).payloadPaths.length > 0 ? payloadWords : '';
	const shown = readingWords(cardReading(review, card, layout), card) || lines;
	const inRule = hidden.place === 'rule' ? hidden.words : [];
	const parts = ['arguments', compact ? '' : content.argumentSize, ...inRule, shown, marks];
	return [
		ruleLine(parts.filter(Boolean).join(uiText` · `), width),
		...(hidden.place === 'line' ? hidden.lines.map((line): Line => [span(` ${line}`, 'bad')]) : []),
	];
}

/** A card that is cut or masked never shows all, however much of it was read elsewhere. */
function readingWords(reading: Reading, {cutBytes, maskedValues}: ReviewView['card']): string {
	switch (reading) {
		case 'read':
			return cutBytes > 0 ? 'all read' : maskedValues > 0 ? 'all else shown' : 'all shown';
		case 'unread':
			return '';
	}
}

/** The chat that the request was sent to last, and the number that allows it there; alone, where there is no room for more. */
export function sentWords(
	messages: ReviewView['messages'],
	now: number,
	{compact}: Pick<ReviewLayout, 'compact'>,
): string {
	const latest = messages.toSorted((one, other) => other.sentAt - one.sentAt)[0];
	const number = messages.find(one => one.number !== undefined)?.number;
	if (compact || !latest) {
		return number === undefined ? '' : ` ${number}`;
	}

	const seconds = Math.max(0, Math.floor((now - latest.sentAt) / 1000));
	const age = seconds < 100 ? `${seconds} s` : minutesText(seconds * 1000);
	return `   sent to ${latest.platform} ${age} ago${number === undefined ? '' : `, number ${number}`}`;
}

/** The first line: which request, how long it waits for an answer. */
export function reviewTitle({card, layout, place, width, now, sent, messages}: ReviewView): Line {
	const isExpiring = card.expiresAt !== null && card.expiresAt - now < 10_000;
	const soon = isExpiring ? uiText` · expiring` : '';
	const usual = layout.compact ? '' : uiText`   oldest first · waiting ${minutesText(now - card.requestedAt)}`;
	const waiting = sentWords(messages, now, layout) || usual;
	const held = layout.compact ? ' HELD' : '   HELD, sent after the release';
	return lineWithEnd(
		[
			span(` ${glyphs.approval} APPROVAL ${place}`, 'notice'),
			sent === 'after-release' ? span(held, 'bad') : span(waiting, 'dim'),
		],
		[span(`${deadlineText(card, now)}${soon} `, isExpiring ? 'bad' : 'busy')],
		width,
	);
}

/** The asker, the tool and the origin of the call. */
function whoLines({card, layout, width}: ReviewView): readonly Line[] {
	const {trust: claimed, liftedFor} = decisionFacts(card);
	const trust = claimed === 'untrusted' ? span('UNTRUSTED', 'bad') : span('trusted', 'good');
	const from = layout.originLines.map((part, index) => [
		span(index === 0 ? ' from    ' : uiText`       … `, 'dim'),
		span(part),
	]);
	if (layout.compact) {
		return [[span(' call    ', 'dim'), span(toolText(card, uncut), 'strong'), span(' '), trust], ...from];
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
		wantedLine(card),
		liftedFor === undefined
			? [span(' hints   ', 'dim'), span(hintText(card.hints)), span('   claimed by the server', 'dim')]
			: [span(' lifts   ', 'dim'), span(`it for ${liftedFor}`)],
		...from,
	];
}

/** The tool, or the other thing that is asked for. */
function wantedLine({kind, tool, registeredName}: ReviewView['card']): Line {
	switch (kind) {
		case 'sampling':
			return [span(' wants   ', 'dim'), span('an answer of your model', 'strong'), span(`   ${tool}`, 'dim')];
		case 'limit':
			return [span(' limit   ', 'dim'), span(shownName(tool, uncut), 'strong'), span('   is reached', 'dim')];
		case 'tool-call':
			return [span(' tool    ', 'dim'), span(shownName(tool, uncut), 'strong'), span(`   as ${registeredName}`, 'dim')];
	}
}
