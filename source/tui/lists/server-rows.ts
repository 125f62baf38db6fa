import {type KeyNames, nextActionText} from '../../state/entities/entity.ts';
import {serverEntity, toolsText} from '../../state/entities/server.ts';
import {
	emptySeries,
	lastHour,
	lastMinute,
	medianMilliseconds,
	minuteMilliseconds,
	rateKey,
	type RateSeries,
} from '../../state/rate-series.ts';
import {type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {minutesText} from '../text/duration-text.ts';
import {countText, medianSpan, nothing, rateWords} from '../text/rate-text.ts';
import {barColumns, type Column, columnsLine, partsThatFit, wideCells} from './columns.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberPairs} from './list-row.ts';
import {cell, type Line, lineWithEnd, type Span, span} from '../text/span.ts';
import {serverText} from '../../state/entities/status-text.ts';

/** The rows of the tool servers, each with how often it is called. */
export function serverRows({servers, rates}: Pick<Snapshot, 'servers' | 'rates'>): ListRow[] {
	return servers.map(server => serverListRow(server, rates.servers[rateKey(server.profile, server.server)]));
}

const serverListRow = rememberPairs((server: ServerRow, calls: RateSeries | undefined): ListRow => {
	const row = entityRow(serverEntity, {...server, calls: (now: number) => rateWords(calls, now)});
	return {
		...row,
		values: at => ({
			...row.values?.(at),
			rate: calls && lastMinute(calls, at).count,
			failed: calls && lastHour(calls, at).failed,
			p50: calls && medianMilliseconds(calls),
			last: calls?.lastAt,
		}),
		line: (width, now, keys) => serverLine(server, width, {now, keys, calls}),
	};
});

type At = {readonly now: number; readonly keys: KeyNames; readonly calls: RateSeries | undefined};

function serverLine(server: ServerRow, width: number, at: At): Line {
	const {glyph, word, tone} = serverText[server.state];
	const {calls} = at;
	if (width < 60) {
		return [
			span(`${glyph} `, tone),
			cell(server.server, 13, 'strong'),
			cell(word, 12, tone),
			span(shortNote(server, at), 'dim'),
		];
	}

	// The reason replaces columns that are empty until the server connects.
	const isNoted = server.state !== 'connected' && note(server, at) !== '';
	return [
		span(`${glyph} `, tone),
		cell(server.server, overviewNameCells(width), 'strong'),
		cell(word, wordCells, tone),
		...(isNoted ? notedEnd(server, width, at) : columnsLine(serverColumns(width), {server, calls}, at.now)),
	];
}

const wordCells = 12;

/** The cells of a name in the overview. */
export function overviewNameCells(width: number): number {
	return wideCells(15, 0.12, width);
}

/** The start of the columns of calls, in cells. */
export function serverColumnsStart(width: number): number {
	return 2 + overviewNameCells(width) + wordCells;
}

/** The reason that the server is of no use, and if there is room, the remedy. */
function notedEnd(server: ServerRow, width: number, at: At): Line {
	const text = note(server, at);
	const next = nextActionText(server, at.keys);
	const noted = [span(text, server.state === 'failed' ? 'bad' : 'dim')];
	return width < 100 || next === '' || next === text
		? noted
		: lineWithEnd(noted, [span(`  ${next}`, 'accent')], width - serverColumnsStart(width));
}

type Called = {readonly server: ServerRow; readonly calls: RateSeries | undefined};

/** The columns of a server that works: how it is called, and where there is room, what it is. */
export function serverColumns(width: number): ReadonlyArray<Column<Called>> {
	const isWide = width >= 98;
	const parts = partsThatFit(width - serverColumnsStart(width) - (isWide ? 56 : 38));
	return [
		...barColumns<Called>(parts, {
			head: 'last hour',
			unit: 'm',
			slotsOf: ({calls = emptySeries}, now) => ({slots: calls.minutes, last: Math.floor(now / minuteMilliseconds)}),
		}),
		{
			head: '/min',
			cells: 6,
			side: 'right',
			value: ({calls}, now) => numberSpan(calls && lastMinute(calls, now).count),
		},
		{head: 'p50', cells: 8, side: 'right', value: ({calls}) => medianSpan(calls)},
		{
			head: 'failed',
			cells: 7,
			side: 'right',
			value: ({calls}, now) => numberSpan(calls && lastHour(calls, now).failed, 'bad'),
		},
		...(isWide ? kindColumns : [kindColumn]),
	];
}

/** With room for one word only, an untrusted server is more important than its number of tools. */
const kindColumn: Column<Called> = {
	head: '',
	cells: 'rest',
	value: ({server}) =>
		server.trust === 'untrusted' ? span(' untrusted', 'busy') : span(` ${toolsText(server)}`, 'dim'),
};

const kindColumns: ReadonlyArray<Column<Called>> = [
	{head: '', cells: 12, value: ({server}) => span(` ${toolsText(server)}`)},
	{head: '', cells: 6, value: ({server}) => span(server.transport, 'dim')},
	{
		head: '',
		cells: 10,
		value: ({server: {trust}}) => span(trust, trust === 'untrusted' ? 'busy' : 'dim'),
	},
];

function numberSpan(count: number | undefined, tone: Span['tone'] = 'normal'): Span {
	return count === undefined ? nothing : span(countText(count), count === 0 ? 'dim' : tone);
}

/** The most useful fact in the server's state. */
function note(server: ServerRow, {now, keys}: At): string {
	if (server.retryAt !== undefined && server.state === 'waiting') {
		return `next ${minutesText(server.retryAt - now)}${server.reason ? uiText` · ${server.reason}` : ''}`;
	}

	if (server.state === 'connecting') {
		const installer = installerOf(server);
		const why = server.reason ?? (installer === undefined ? '' : `${installer} may have to install it first`);
		return [minutesText(now - server.changedAt), why].filter(Boolean).join(uiText` · `);
	}

	return server.state === 'connected' ? '' : (server.reason ?? nextActionText(server, keys));
}

/** Programs that install what they run before its first start, which takes long. */
const installers = /^(?:npx|bunx|uvx|pipx|docker)\s/u;

/** The program that may have to install a server before it starts it. */
export function installerOf({address, transport}: Pick<ServerRow, 'address' | 'transport'>): string | undefined {
	return transport === 'stdio' ? installers.exec(address)?.[0].trim() : undefined;
}

function shortNote(server: ServerRow, at: At): string {
	return server.state === 'connected' ? toolsText(server) : note(server, at);
}
