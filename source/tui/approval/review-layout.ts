import {originText} from '../../state/origin.ts';
import {type ApprovalRow} from '../../state/snapshot.ts';
import {layoutName, type Size} from '../text/layout.ts';
import {own} from '../text/own-signs.ts';
import {type Line, span} from '../text/span.ts';
import {cutToWidth, textWidth, wrapToWidth} from '../text/text-width.ts';
import {type CardContent, cardContent} from './card-content.ts';
import {hiddenOnCard, type HiddenOnCard, isNameCut} from './hidden-on-card.ts';

/** How a card is laid out on a screen. */
export type ReviewLayout = {
	readonly content: CardContent;
	/** Lines of the content that are on the screen at once. */
	readonly contentRows: number;
	/** Where the call comes from. What the sender of a webhook chose comes last and is cut first. */
	readonly originLines: readonly string[];
	/** What the card does not show of the arguments: in the rule over them, or in a line of its own where that is too short. */
	readonly hidden: HiddenOnCard;
	/** The short form for small terminals. */
	readonly compact: boolean;
	/** The furthest the content can be scrolled. */
	readonly lastScroll: number;
	/** The page "always allow" in lines; undefined when the terminal cannot show all of it. */
	readonly alwaysPage: readonly Line[] | undefined;
	/** Server or tool are too long for their line. */
	readonly nameIsCut: boolean;
};

/** Rows around the content without those of the origin: title, who asks (with its rule), the rule of the arguments, answers, state. */
const roomyFrameRows = 1 + 4 + 1 + 4 + 1;
const compactFrameRows = 1 + 1 + 1 + 2 + 1;

/** Cells before the names of server and tool. */
const labelCells = 9;

/** Lays a card out for a size. */
export function reviewLayout(card: ApprovalRow, size: Size): ReviewLayout {
	const compact = layoutName(size) === 'narrow';
	const content = cardContent(card, size.columns);
	const nameWidth = size.columns - labelCells;
	const originLines = firstLines(originText(card.origin, own` · `), {count: compact ? 2 : 3, width: nameWidth});
	const hidden = hiddenOnCard(card, content, size);
	const frameRows =
		(compact ? compactFrameRows : roomyFrameRows) + originLines.length + (hidden.place === 'line' ? 1 : 0);
	const contentRows = Math.max(1, size.rows - frameRows);
	const alwaysPage = alwaysLines(card, size.columns, compact);
	const alwaysRows = size.rows - (compact ? 3 : 7 + originLines.length);
	return {
		content,
		contentRows,
		originLines,
		hidden,
		compact,
		lastScroll: Math.max(0, content.lines.length - contentRows),
		alwaysPage: alwaysPage.length <= alwaysRows ? alwaysPage : undefined,
		nameIsCut:
			isNameCut(card.tool) ||
			textWidth(compact ? `${card.server}/${card.tool}` : card.tool) > nameWidth ||
			textWidth(card.server) > nameWidth,
	};
}

function firstLines(text: string, {count, width}: {readonly count: number; readonly width: number}): readonly string[] {
	const lines = wrapToWidth(text, width);
	return lines.length <= count
		? lines
		: [...lines.slice(0, count - 1), cutToWidth(lines.slice(count - 1).join(' '), width)];
}

/** The page that names exactly what "always" would store. `compact` leaves out what the card said before. */
function alwaysLines(card: ApprovalRow, width: number, compact: boolean): readonly Line[] {
	const field = (label: string, text: string): Line[] =>
		wrapToWidth(text, width - 14).map((part, index) => [
			span(` ${(index === 0 ? label : '').padEnd(9)}`, 'dim'),
			span(part, 'strong'),
		]);
	const words = (text: string): Line[] => wrapToWidth(text, width - 2).map((part): Line => [span(` ${part}`)]);
	return [
		...(compact ? [] : words('This stores a rule. From then on nobody is asked for:')),
		...field('server', card.server),
		...field('tool', card.tool),
		...(compact ? [] : field('known as', card.registeredName)),
		...field('profile', card.profile),
		...words('with any arguments, for every caller, as long as its definition stays as it is now.'),
		...(compact ? [] : words('To take it back: sluice approvals rules revoke')),
	];
}
