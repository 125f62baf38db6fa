import {type PageSection, type ViewEvent} from '../../state/view-event.ts';
import {safeText} from '../../util/safe-text.ts';

type Page = Extract<ViewEvent, {type: 'view.page'}>;

/** A page of any length. Texts may be untrusted; known secrets in them are masked. */
export type FullPage = Omit<Page, 'type' | 'part'>;

/** Characters of a page shown at once: the dashboard wraps all of them for each frame. */
export const partCharacters = 20_000;

/** One part of a page, safe to show; the last one for a number that is too high. Nothing of the page is left out of all parts. */
export function pagePart({sections, ...page}: FullPage, wanted = 1): Page {
	const parts = splitSections(sections);
	const number = Math.min(Math.max(1, Math.trunc(wanted)), parts.length);
	const shown = (parts[number - 1] ?? []).map(section => ({...section, text: harmless(section.text)}));
	return {type: 'view.page', ...page, sections: shown, ...(parts.length > 1 && {part: {number, of: parts.length}})};
}

function splitSections(sections: readonly PageSection[]): ReadonlyArray<readonly PageSection[]> {
	const parts: PageSection[][] = [[]];
	let room = partCharacters;
	for (const section of sections) {
		const {copy, ...shown} = section;
		let rest = section.text;
		let {title} = section;
		for (;;) {
			const end = rest.length <= room ? rest.length : cutBefore(rest, room, section.layout);
			if (end > 0 || rest === '') {
				const isWhole = end === section.text.length && copy !== undefined;
				parts.at(-1)?.push({...shown, title, text: rest.slice(0, end), ...(isWhole && {copy})});
				title = `${section.title} (continued)`;
			}

			room -= end;
			rest = rest.slice(end).replace(/^\n/u, '');
			if (rest === '') {
				break;
			}

			parts.push([]);
			room = partCharacters;
		}
	}

	return parts;
}

/**
The index at which to cut a text longer than `limit`: a line break in the second half, or the last position between two characters. A line with a gutter
is not cut where it fits into the next part: 0.
*/
function cutBefore(text: string, limit: number, layout: PageSection['layout']): number {
	const line = text.lastIndexOf('\n', limit);
	const isAtLine = layout === 'lines' && (line > 0 || limit < partCharacters);
	if (line > limit / 2 || isAtLine) {
		return Math.max(0, line);
	}

	const isInside = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
	return isInside ? limit - 1 : limit;
}

function harmless(text: string): string {
	return safeText(text, {multiline: true, maximumCharacters: Number.POSITIVE_INFINITY});
}
