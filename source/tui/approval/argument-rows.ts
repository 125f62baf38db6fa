import {type ApprovalRequest} from '../../state/approval-event.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {bytesText, shownValue} from '../../util/shown-json.ts';
import {type ValueForm, valueLines} from '../../util/values/value-lines.ts';
import {type Line} from '../text/span.ts';
import {valueRows} from '../text/value-rows.ts';

/** Arguments in rows of the screen. */
export type ArgumentRows = {
	readonly rows: readonly Line[];
	/** False if they are too many to look through: those past the most are left out. */
	readonly isAll: boolean;
	/** Number of unchanged lines of edits that are left out. */
	readonly foldedLines: number;
	/** Number of texts and edits that look different as raw JSON. */
	readonly texts: number;
};

const maxRows = 200_000;

/** The arguments in rows, in the order in which they are sent; values at the paths are marked. */
export function argumentRows(
	masked: ApprovalRequest['arguments'],
	{
		payloadPaths,
		width,
		form,
	}: {readonly payloadPaths: readonly string[]; readonly width: number; readonly form: ValueForm},
): ArgumentRows {
	const bounds = {maxIndent: Math.floor(width / 2), maxLines: maxRows};
	const {lines, foldedLines, texts} = valueLines(shownValue(masked), {form, paths: new Set(payloadPaths), bounds});
	const rows = valueRows(lines, width, maxRows);
	return {rows, isAll: rows.length < maxRows, foldedLines, texts};
}

/** The form that a key shows after this one: folded lines first, then all, then raw; undefined where the arguments look the same in each. */
export function formAfter(form: ValueForm, {foldedLines, texts}: ArgumentRows): ValueForm | undefined {
	if (texts === 0) {
		return undefined;
	}

	return form === 'raw' ? 'folded' : foldedLines > 0 ? 'lines' : 'raw';
}

/** `5 keys · 212 B`: of what is sent, not of what is shown. */
export function argumentSize({sentBytes, arguments: shown}: Pick<ApprovalRequest, 'sentBytes' | 'arguments'>): string {
	const keys = Object.keys(shown).length;
	return uiText`${keys} ${keys === 1 ? 'key' : 'keys'} · ${bytesText(sentBytes)}`;
}
