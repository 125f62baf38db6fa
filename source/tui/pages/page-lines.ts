import {type PageRow} from '../../state/snapshot.ts';
import {type PagePart, type PageSection, type PageSubject} from '../../state/view-event.ts';
import {shownId} from '../../util/id-part.ts';
import {wrappedLines} from '../lists/list-row.ts';
import {jsonLines} from '../text/json-lines.ts';
import {markdownLines, type MarkdownState, markdownState} from '../text/markdown-lines.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {valueRows} from '../text/value-rows.ts';

/** A page from the gateway in lines: its sections, or `missing` in place of them. `part` is the part that was asked for. */
export function pageLines(
	subject: PageSubject,
	page: PageRow | undefined,
	{width, part = 1, missing}: {readonly width: number; readonly part?: number; readonly missing: string},
): readonly Line[] {
	if (!page || !isPart(page, subject, part)) {
		return wrapToWidth(missing, width - 2).map(text => [span(` ${text}`, 'dim')]);
	}

	const known = made.get(page);
	const markdown = markdownState();
	if (known?.width === width && known.markdown === markdown) {
		return known.lines;
	}

	const shown = page.sections.flatMap(({title, text, layout}) => [
		ruleLine(title, width),
		...sectionLines({text, layout}, width),
	]);
	const lines = page.part === undefined ? shown : [...shown, [span(partWords(page.part), 'notice')]];
	made.set(page, {width, markdown, lines});
	return lines;
}

/** Each frame draws the page, keys and footer measure it. */
const made = new WeakMap<
	PageRow,
	{readonly width: number; readonly markdown: MarkdownState; readonly lines: readonly Line[]}
>();

/** True if this is the requested part of a page; the last part serves for those after it. */
export function isPart(page: PageRow, subject: PageSubject, part: number): boolean {
	return subjectKey(page.subject) === subjectKey(subject) && (page.part?.number ?? 1) === part;
}

function partWords({number, of}: PagePart): string {
	const next = number < of ? 'scroll on for the next' : 'this is the last';
	return uiText` part ${number} of ${of} · ${next}`;
}

function subjectKey(subject: PageSubject): string {
	switch (subject.kind) {
		case 'event':
		case 'dry-run':
			return `${subject.kind} ${subject.eventId}`;
		case 'call':
			return `call ${subject.callId}`;
		case 'run':
			return `run ${subject.runId}`;
		case 'decision':
		case 'delivery':
			return `${subject.kind} ${subject.id}`;
		case 'server':
		case 'server-log':
			return `${subject.kind} ${subject.server}`;
	}
}

/** Wording that fits into a title. */
export type Wording = 'short' | 'full';

/** The title of a page. On a narrow screen an id leaves room for which lines are shown. */
export function subjectText(subject: PageSubject, wording: Wording = 'full'): string {
	const idText = wording === 'short' ? shownId : (id: string) => id;
	switch (subject.kind) {
		case 'event':
			return `Event ${idText(subject.eventId)}`;
		case 'run':
			return `Run ${idText(subject.runId)}`;
		case 'call':
			return `Call ${idText(subject.callId)}`;
		case 'decision':
			return `Approval ${idText(subject.id)}`;
		case 'delivery':
			return `Delivery ${idText(subject.id)}`;
		case 'dry-run':
			return `Dry run of ${idText(subject.eventId)}`;
		case 'server':
			return `Server ${subject.server}`;
		case 'server-log':
			return `Stderr of ${subject.server}`;
	}
}

function sectionLines({text, layout}: Pick<PageSection, 'text' | 'layout'>, width: number): readonly Line[] {
	switch (layout) {
		case 'exact':
			return jsonLines(text, width);
		case 'lines':
			return valueRows(
				text.split('\n').map(line => ({text: line, marked: false})),
				width,
			);
		case 'markdown':
			return markdownLines(text, width);
		case undefined:
			return textLines(text, width);
	}
}

/** Indented lines are data and shown exactly. The rest is wrapped at blanks. */
function textLines(text: string, width: number): Line[] {
	return text.split('\n').flatMap(line => (/^\s/u.test(line) ? jsonLines(line, width) : wrappedLines(line, width)));
}
