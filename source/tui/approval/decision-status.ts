import {shownId} from '../../util/id-part.ts';
import {type Form, stopOf} from '../state/form.ts';
import {earlyHint, sentHint, takenHint} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {type Line, span} from '../text/span.ts';
import {decisionChoices, type Reading} from '../../state/decision.ts';
import {type ReviewMode} from '../state/review.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cardReading, reviewLayout} from './review-layout.ts';

/** On fewer columns the last line has only the keys. */
const shortColumns = 60;

/** The last line where something is decided: whether keys act, and on what; undefined where no key decides. */
export function decisionStatus(screen: Screen): Line | undefined {
	const {mode} = screen.ui;
	const isShort = screen.size.columns < shortColumns;
	switch (mode.kind) {
		case 'review':
			return reviewStatus(screen, mode);
		case 'proposal':
			return statusLine(screen, {
				hint: mode.hint,
				usual: isShort
					? uiText`i installs · m renames · x no`
					: uiText`i installs · m renames · x does not install · Esc leaves it undecided`,
				urgent: mode.again !== undefined,
			});
		case 'call-rule':
			return statusLine(screen, {hint: mode.hint, usual: ruleStatus(screen, 'call'), urgent: false});
		case 'form': {
			if (stopOf(mode.form).kind !== 'submit') {
				return hintLine(screen, mode.form.hint);
			}

			const usual = formStatus(mode.form, isShort ? 'short' : 'whole');
			return statusLine(screen, {hint: mode.form.hint, usual, urgent: false});
		}

		case 'browse':
		case 'detail':
		case 'page':
		case 'trace':
		case 'settled':
		case 'edit':
		case 'command':
		case 'form-text':
		case 'login':
		case 'manual-call':
		case 'deny-message':
		case 'confirm':
		case 'copy':
		case 'help':
		case 'faults':
		case 'prompt':
		case 'palette':
		case 'filter':
		case 'add-server':
			return undefined;
	}
}

function formStatus({owner}: Form, words: 'short' | 'whole'): string {
	if (owner.kind === 'tool') {
		return uiText`enter calls the tool · Esc leaves`;
	}

	if (owner.url) {
		return words === 'short'
			? uiText`o opens · enter accepts · d no`
			: uiText`o opens it · enter accepts, you open it · c copies · d declines`;
	}

	return words === 'short'
		? uiText`enter sends · d declines`
		: uiText`enter sends the answer · d declines · Esc leaves`;
}

/** The last line of the review screen: whether keys act, and on what. */
function reviewStatus(screen: Screen, review: ReviewMode): Line {
	if (review.page === 'full') {
		return hintLine(screen, review.hint) ?? [span(` ${fullWords(screen, review)}`, 'dim')];
	}

	const shown = shownCard(screen, review);
	const reading = shown && cardReading(review, shown.card, shown.layout);
	const foldedLines = shown?.layout.content.foldedLines ?? 0;
	const usual =
		review.page === 'rule' ? ruleStatus(screen, 'request') : usualText(screen, review, {reading, foldedLines});
	return statusLine(screen, {hint: review.hint, usual, urgent: review.again !== undefined, reading});
}

/** The card on the screen; undefined if the review shows another page. */
function shownCard({snapshot, size}: Screen, review: ReviewMode) {
	const card = snapshot.approvals.find(row => row.id === review.cardId);
	return card && review.page === 'card' ? {card, layout: reviewLayout(card, size, review.form)} : undefined;
}

/** The effect of deciding keys if they act now, or the hint about the last key. */
function statusLine(
	screen: Pick<Screen, 'readOnly' | 'armed'>,
	words: {
		readonly hint: string;
		readonly usual: string;
		readonly urgent: boolean;
		/** Set where a request was not read to its end, so that no key but those of a denial acts. */
		readonly reading?: Reading | undefined;
	},
): Line {
	if (screen.readOnly) {
		return [
			span(' read-only', 'busy'),
			span(uiText` · nothing can be decided in this dashboard · Esc goes back`, 'dim'),
		];
	}

	if (words.hint === sentHint || words.hint === takenHint) {
		return [span(` ${words.hint}`, 'dim')];
	}

	const ready = words.reading === 'unread' ? span(' deny only', 'busy') : span(' ready', 'good');
	const word = screen.armed ? ready : span(' wait ', 'busy');
	const hint = isOver(words.hint, screen) ? '' : words.hint;
	return [word, span(uiText` · ${hint || words.usual}`, words.urgent ? 'bad' : 'dim')];
}

/** The hint alone, where nothing says whether keys act; undefined where there is nothing to say. */
function hintLine(screen: Pick<Screen, 'armed'>, hint: string): Line | undefined {
	if (hint === '' || isOver(hint, screen)) {
		return undefined;
	}

	return [span(hint === earlyHint ? uiText` wait · ${hint}` : ` ${hint}`, 'busy')];
}

/** A key that came too early can be pressed again as soon as keys act. */
function isOver(hint: string, {armed}: Pick<Screen, 'armed'>): boolean {
	return armed && hint === earlyHint;
}

function ruleStatus({snapshot: {ruleProposal}, size}: Screen, from: 'request' | 'call'): string {
	const isStorable = ruleProposal?.outcome.kind === 'rule';
	if (size.columns < shortColumns) {
		return isStorable ? uiText`p stores it · Enter cancels` : uiText`arrows choose · Enter cancels`;
	}

	if (isStorable && from === 'call') {
		return uiText`p stores it · arrows choose · Enter cancels (the default)`;
	}

	return isStorable
		? uiText`p stores it and allows this call · arrows choose · Enter cancels (the default)`
		: uiText`arrows choose · Enter cancels (the default)`;
}

function usualText(
	{snapshot, size}: Screen,
	review: ReviewMode,
	{reading, foldedLines}: {readonly reading: Reading | undefined; readonly foldedLines: number},
): string {
	const isShort = size.columns < shortColumns;
	if (review.page === 'always') {
		return isShort ? uiText`w stores it · Enter cancels` : uiText`w stores it · Enter cancels (the default)`;
	}

	if (reading === 'unread') {
		const key = foldedLines > 0 ? 't' : 'J';
		return isShort
			? uiText`${key} or v shows the rest`
			: uiText`${key} or v shows the rest; then it can be allowed · Esc goes back`;
	}

	if (!isShort) {
		return uiText`keys act on request #${shownId(review.cardId)} only · Esc leaves it undecided`;
	}

	const card = snapshot.approvals.find(row => row.id === review.cardId);
	const hasRule = card !== undefined && decisionChoices(card, 'read').rule.kind === 'here';
	return hasRule ? uiText`Enter denies · p makes a rule` : uiText`Enter denies · Esc goes back`;
}

function fullWords({snapshot, readOnly}: Screen, {cardId, form}: ReviewMode): string {
	const isMasked = (snapshot.approvals.find(row => row.id === cardId)?.maskedValues ?? 0) > 0 && !readOnly;
	const unmasks = isMasked ? uiText` · u unmasks` : '';
	const denies = readOnly ? '' : uiText`d denies · `;
	const other = form === 'raw' ? 'lines' : 'raw';
	return uiText`${denies}Esc back · space goes on · G end · / searches · t ${other}${unmasks}`;
}
