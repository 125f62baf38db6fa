import {askerKindText, askerText} from '../../state/origin.ts';
import {type AskerList} from '../../state/snapshot.ts';
import {groupedNumber} from '../../state/number-text.ts';
import {dateAndTime, dayAndTime} from '../../state/time-text.ts';
import {type AskedRow} from '../../state/view-event.ts';
import {toolText} from '../../util/safe-text.ts';
import {cell, type Line, span} from '../text/span.ts';
import {wideCells} from './columns.ts';
import {labelled, type ListRow} from './list-row.ts';

/** Requests of one asker, or about one tool; the parts are by the other of the two, most first. */
type Asked = Omit<AskedRow, 'asker' | 'server' | 'tool' | 'callId'> & {
	readonly name: string;
	/** Empty for a tool. */
	readonly kind: string;
	readonly parts: readonly AskedRow[];
};

type Counts = Pick<AskedRow, 'asked' | 'allowed' | 'denied'>;

/** The parts that the two views of the counts have in common. */
export const askedView = {
	empty: ({askerList}: Lists, missing: string) => (askerList ? 'nobody has been asked yet' : missing),
	method: 'askers.view',
	offer: {action: 'show-askers', words: 'to count again'},
	sources: ['askerList'],
	profile: ({askerList}: Lists) => askerList?.profile,
} as const;

type Lists = {readonly askerList: AskerList | undefined};

/** The rows of who asks: most first. */
export function askerRows(list: AskerList | undefined): readonly ListRow[] {
	return list ? askersOf(list).map(asked => askedRow(asked, list, part => toolText(part))) : [];
}

/** The rows of the tools that are asked for: most first. */
export function askedToolRows(list: AskerList | undefined): readonly ListRow[] {
	return list ? toolsOf(list).map(asked => askedRow(asked, list, ({asker}) => askerText(asker))) : [];
}

/** The requests behind a row of one of the two lists. */
export function pickedAsked(
	view: string,
	rowId: string | undefined,
	{askerList}: {readonly askerList: AskerList | undefined},
): Asked | undefined {
	if (!askerList || !(view === 'askers' || view === 'asked-tools')) {
		return undefined;
	}

	const all = view === 'askers' ? askersOf(askerList) : toolsOf(askerList);
	return all.find(asked => idOf(asked) === rowId);
}

function askersOf({counts}: AskerList): readonly Asked[] {
	return grouped(counts, ({asker}) => ({name: askerText(asker), kind: askerKindText[asker.kind]}));
}

function toolsOf({counts}: AskerList): readonly Asked[] {
	return grouped(counts, count => ({name: toolText(count), kind: ''}));
}

function grouped(
	counts: readonly AskedRow[],
	nameOf: (count: AskedRow) => Pick<Asked, 'name' | 'kind'>,
): readonly Asked[] {
	const groups = new Map<string, Asked>();
	for (const count of counts) {
		const names = nameOf(count);
		const known = groups.get(idOf(names)) ?? {...names, asked: 0, allowed: 0, denied: 0, lastAt: 0, parts: []};
		groups.set(idOf(names), {
			...names,
			asked: known.asked + count.asked,
			allowed: known.allowed + count.allowed,
			denied: known.denied + count.denied,
			lastAt: Math.max(known.lastAt, count.lastAt),
			parts: [...known.parts, count],
		});
	}

	return [...groups.values()].toSorted((first, second) => second.asked - first.asked);
}

function idOf({name, kind}: Pick<Asked, 'name' | 'kind'>): string {
	return `${kind}/${name}`;
}

function askedRow(asked: Asked, {profile}: AskerList, partName: (part: AskedRow) => string): ListRow {
	const {name, kind, lastAt} = asked;
	const parts = asked.parts.map(partName);
	return {
		id: idOf(asked),
		copy: name,
		fields: () => ({name, ...(kind !== '' && {kind}), parts: parts.join(' '), profile}),
		values: () => ({
			name,
			...(kind !== '' && {kind}),
			asked: asked.asked,
			allowed: asked.allowed,
			denied: asked.denied,
			last: lastAt,
		}),
		line: (width, now) => askedLine(asked, width, now),
		detail: width => [
			...labelled('name', name, width),
			...labelled('kind', kind, width),
			...labelled('asked', countsText(asked), width),
			...labelled('last', dateAndTime(lastAt), width),
			[],
			...asked.parts.map((part, index): Line => partLine(parts[index] ?? '', part, width)),
		],
	};
}

/** `codex  client  41 asked  39 allowed  2 denied  3 tools  last 14:02`. */
function askedLine(asked: Asked, width: number, now: number): Line {
	const {name, kind, parts, lastAt} = asked;
	if (width < 60) {
		const cells = Math.max(12, width - 22);
		return [cell(name, cells, 'strong'), ...countCells(asked, 'short')];
	}

	const [only] = parts;
	const about = parts.length === 1 && only && kind !== '' ? toolText(only) : countedParts(asked);
	return [
		cell(name, wideCells(kind === '' ? 28 : 19, 0.2, width), 'strong'),
		...(kind === '' ? [] : [cell(kind, 9, 'dim')]),
		...countCells(asked, 'long'),
		...(width < 90 ? [] : [cell(about, wideCells(14, 0.3, width), 'dim')]),
		span(`${width < 90 ? '' : 'last '}${dayAndTime(lastAt, now)}`, 'dim'),
	];
}

function countedParts({kind, parts}: Asked): string {
	const noun = kind === '' ? 'asker' : 'tool';
	return `${groupedNumber(parts.length)} ${noun}${parts.length === 1 ? '' : 's'}`;
}

function countCells({asked, allowed, denied}: Counts, words: 'short' | 'long'): Line {
	return words === 'short'
		? [
				cell(`${groupedNumber(asked)} asked`, 11),
				span(`${groupedNumber(allowed)} ok`, allowed === asked ? 'good' : 'dim'),
			]
		: [
				cell(`${groupedNumber(asked)} asked`, 12),
				cell(`${groupedNumber(allowed)} allowed`, 14, allowed === asked ? 'good' : 'normal'),
				cell(denied === 0 ? '' : `${groupedNumber(denied)} denied`, 12, 'bad'),
			];
}

function countsText({asked, allowed, denied}: Counts): string {
	const others = asked - allowed - denied;
	const ends = [
		`${groupedNumber(allowed)} allowed`,
		denied > 0 && `${groupedNumber(denied)} denied`,
		others > 0 && `${groupedNumber(others)} without an answer`,
	].filter(Boolean);
	return `${groupedNumber(asked)}: ${ends.join(', ')}`;
}

function partLine(name: string, part: AskedRow, width: number): Line {
	return [
		cell(` ${name}`, Math.max(14, Math.min(50, width - 44)), 'strong'),
		...countCells(part, width < 60 ? 'short' : 'long'),
	];
}
