import {hiddenWords, markedWords, type FullRequest} from '../../state/approval-event.ts';
import {decisionFacts} from '../../state/decision.ts';
import {askedFromText} from '../../state/origin.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {type Screen} from '../state/screen.ts';
import {reviewOf, type UiContext, type UiState} from '../state/ui-state.ts';
import {type Size} from '../text/layout.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {type ReviewMode} from '../state/review.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {foundText, withHit} from '../text/search-hits.ts';
import {splitCells} from '../text/text-width.ts';
import {argumentRows, argumentSize, formAfter} from './argument-rows.ts';
import {type ReviewView, ruleSection, untrustedSection, changeSection} from './review-layout.ts';
import {type ValueForm} from '../../util/values/value-lines.ts';
import {shownName, uncut} from '../../util/safe-text.ts';

/** All of a request, in rows. */
export type FullPage = {
	readonly lines: readonly Line[];
	/** Number of rows that must have been on the screen; undefined if they are too many to look through. */
	readonly neededLines: number | undefined;
	/** The form that the key shows next; undefined where all forms are alike. */
	readonly nextForm: ValueForm | undefined;
	/** Masked on this page. */
	readonly maskedValues: number;
	readonly markedCharacters: number;
};

type Made = {readonly width: number; readonly form: FullForm; readonly page: FullPage};
const made = new WeakMap<FullRequest, Made>();

/** Nothing is folded on the page with all of a request. */
type FullForm = Exclude<ValueForm, 'folded'>;

/** The page of a request for a width: names, arguments, the rule that asks, change of the definition, description. */
export function fullPage(
	whole: FullRequest,
	card: ApprovalRow,
	{width, form}: {readonly width: number; readonly form: FullForm},
): FullPage {
	const known = made.get(whole);
	if (known?.width === width && known.form === form) {
		return known.page;
	}

	const names = [
		...nameLines('server', whole.server, width),
		...nameLines('tool', shownName(whole.tool, uncut), width),
		...nameLines('from', askedFromText(card, uiText` · `), width),
	];
	const {payloadPaths, rule, definitionChange} = decisionFacts(card);
	const shown = argumentRows(whole.arguments, {payloadPaths, width, form});
	const before = [...names, ruleLine(uiText`arguments · ${argumentSize(whole)}`, width)];
	const needed = [...before, ...shown.rows, ...ruleSection(rule, width), ...changeSection(definitionChange, width)];
	const page: FullPage = {
		lines: [
			...needed,
			...untrustedSection(uiText`description · from the server, not checked`, whole.description, width),
		],
		neededLines: whole.cutBytes === 0 && shown.isAll ? needed.length : undefined,
		nextForm: formAfter(form, shown),
		maskedValues: whole.maskedValues,
		markedCharacters: whole.markedCharacters,
	};
	made.set(whole, {width, form, page});
	return page;
}

function nameLines(label: string, name: string, width: number): readonly Line[] {
	return splitCells(name, width - 9).map(
		(part, index): Line => [span(` ${(index === 0 ? label : uiText`      …`).padEnd(8)}`, 'dim'), span(part, 'strong')],
	);
}

/** Number of rows of the page that are on the screen at once. */
const frameRows = 3;

/** Number of rows of the page that are on the screen at once. */
export function fullRows(size: Size): number {
	return Math.max(1, size.rows - frameRows);
}

/** The page of the request under review as it is now; undefined when the gateway has none. */
export function reviewedFull(ui: UiState, {snapshot, readFull}: UiContext): FullPage | undefined {
	const review = reviewOf(ui);
	const card = snapshot.approvals.find(row => row.id === review?.cardId);
	const opened = review && card && openedFull({card, review, size: ui.size}, readFull);
	return typeof opened === 'object' ? opened : undefined;
}

/** Also while it is on its way, and when the gateway has none. */
function openedFull(
	{
		card,
		review: {full, form},
		size,
	}: {readonly card: ApprovalRow; readonly review: Pick<ReviewMode, 'full' | 'form'>; readonly size: Size},
	readFull: UiContext['readFull'],
): FullPage | 'reading' | 'gone' {
	const answer = readFull?.({id: card.id, profile: card.profile, masks: full.masks}) ?? {kind: 'gone'};
	return answer.kind === 'read'
		? fullPage(answer.fullRequest, card, {width: size.columns, form: form === 'raw' ? 'raw' : 'lines'})
		: answer.kind;
}

/** All of a request, scrolled: a rule that says which rows these are, then the rows that fit. */
export function fullLines({card, review, width}: ReviewView, {size, readFull}: Screen): readonly Line[] {
	const view = review.full;
	const page = openedFull({card, review, size}, readFull);
	if (typeof page === 'string') {
		const text = page === 'reading' ? uiText` reading …` : ' the gateway no longer has this request';
		return [ruleLine('all of it', width), [span(text, 'busy')]];
	}

	const {lines, neededLines} = page;
	const end = Math.min(lines.length, view.scroll + fullRows(size));
	const {found} = view;
	const parts = [
		uiText`${view.scroll + 1}–${end} of ${lines.length}`,
		neededLines === undefined ? 'too long to show' : view.reading === 'read' ? 'read to the end' : '',
		...(view.masks === 'on' ? hiddenWords({cutBytes: 0, maskedValues: page.maskedValues}) : ['NOT MASKED']),
		...markedWords(page),
		found ? foundText(found) : '',
	];
	const rows = withHit(lines.slice(view.scroll, end), view.scroll, found);
	return [ruleLine(parts.filter(Boolean).join(uiText` · `), width), ...rows];
}
