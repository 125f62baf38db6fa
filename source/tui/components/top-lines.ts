import {type HoldRow, type Snapshot, type WebhookRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {waitingCount, waitingCounts, type WaitingCounts} from '../../state/waiting.ts';
import {faultBanners, lostBanner} from './fault-lines.ts';
import {shortTabs, tabLine} from './tab-line.ts';
import {type Mode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {minutesText, uptimeText} from '../text/duration-text.ts';
import {layoutName} from '../text/layout.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Line, lineWidth, lineWithEnd, type Span, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {cutToWidth} from '../text/text-width.ts';

/** The lines above the view: the header, the tabs (on a narrow screen in one line), and the banners, if any and wanted. `reading` and `short` have one line for faults, so that what is below keeps its rows; `short` and `header` have no tabs. */
export function topLines(screen: Screen, which: 'all' | 'reading' | 'short' | 'header'): readonly Line[] {
	const {snapshot} = screen;
	const {columns: width, rows} = screen.size;
	const isNarrow = layoutName(screen.size) === 'narrow';
	const hasTabs = which === 'all' || which === 'reading';
	const head = [
		headerLine(screen, hasTabs && isNarrow ? 'tabs' : 'plain'),
		...(hasTabs && !isNarrow ? [tabLine(screen, width)] : []),
	];
	if (snapshot.console.state === 'lost') {
		const isShort = which !== 'all' && isNarrow;
		const room = isShort ? 1 : Math.max(3, Math.floor(rows / 4));
		return [...head, ...lostBanner(snapshot.console, {width, room})];
	}

	if (which === 'header') {
		return head;
	}

	const room = which !== 'all' ? 1 : Math.max(2, Math.floor(rows / 4));
	const waiting = bannerLine(screen);
	return [
		...head,
		...(snapshot.hold ? [holdLine(snapshot.hold, screen)] : []),
		...faultBanners(snapshot, {width, room}),
		...(waiting ? [waiting] : []),
	];
}

/** Header with or without the tabs. */
type Tabs = 'tabs' | 'plain';

/** Wording that fits into the header. */
type Wording = 'terse' | 'short' | 'full';

/** A part of the header. Where there is no room for all, those of the lowest rank are left out. */
type Part = {readonly rank: number; readonly spans: readonly Span[]};

/** The header: what is running, where it listens, how much of it is up, and what is waiting. */
function headerLine(screen: Screen, tabs: Tabs): Line {
	const {snapshot, size, now} = screen;
	const wording = layoutName(size) === 'narrow' ? 'terse' : size.columns < 120 ? 'short' : 'full';
	const time = snapshot.approvals.length > 0 && wording !== 'terse' ? timeOfDay(now) : timeOfDay(now).slice(0, 5);
	const gap = wording === 'terse' ? ' ' : '   ';
	const end: Part = {rank: wording === 'terse' ? 0 : 2, spans: [span(` ${time}`, 'dim')]};
	const kept = fitting([...headerParts(screen, wording, tabs), end], size.columns, gap);
	const start = kept.filter(part => part !== end);
	return lineWithEnd(joined(start, gap), kept.includes(end) ? end.spans : [], size.columns);
}

/** The parts that fit beside each other, in their order. */
function fitting(parts: readonly Part[], width: number, gap: string): readonly Part[] {
	if (lineWidth(joined(parts, gap)) <= width || parts.length === 1) {
		return parts;
	}

	const least = Math.min(...parts.map(({rank}) => rank));
	const dropped = parts.findLast(({rank}) => rank === least);
	return fitting(
		parts.filter(part => part !== dropped),
		width,
		gap,
	);
}

function joined(parts: readonly Part[], gap: string): Line {
	return parts.flatMap(({spans}, index) => (index === 0 ? spans : [span(gap), ...spans]));
}

function headerParts(screen: Screen, wording: Wording, tabs: Tabs): readonly Part[] {
	const {snapshot} = screen;
	const {console, servers, webhook} = snapshot;
	const name = span(wording === 'terse' ? 'sluice' : ' sluice', 'strong');
	const readOnly: readonly Part[] = screen.readOnly ? [{rank: 9, spans: [span('read-only', 'busy')]}] : [];
	const start: readonly Part[] = [
		{
			rank: tabs === 'tabs' ? 6.5 : 5,
			spans: wording === 'full' ? [name, span(` ${screen.version}`, 'dim')] : [name],
		},
		...consoleParts(screen, wording, tabs),
	];
	if (console.state === 'lost') {
		return [...start, ...readOnly];
	}

	const up = servers.filter(row => row.state === 'connected').length;
	const waiting = waitingCount(snapshot);
	const serverWords = wording === 'full' ? ' up' : '';
	return [
		...start,
		...gatewayParts(snapshot, wording),
		...(snapshot.hold ? [{rank: 12, spans: [span('HELD', 'bad')]}] : []),
		{rank: webhook.state === 'failed' ? 8 : 3, spans: [webhookPiece(webhook, wording)]},
		{rank: 6, spans: [span(`${wording === 'full' ? 'servers' : 'srv'} ${up}/${servers.length}${serverWords}`)]},
		...(tabs === 'tabs' ? [{rank: 11, spans: shortTabs(screen)}] : []),
		...(waiting > 0 && tabs === 'plain'
			? [
					{
						rank: 11,
						spans: [span(`${waitingGlyph(snapshot)}${waiting}`, 'notice'), span(wording === 'full' ? ' waiting' : '')],
					},
				]
			: []),
		...(wording === 'terse'
			? []
			: [{rank: 1, spans: [span(`${wording === 'full' ? 'requests' : 'req'} ${requestCount(snapshot)}`)]}]),
		...readOnly,
	];
}

/** The connection to the gateway, if that is another process, which goes on without this window. */
function consoleParts({snapshot: {console, gateway}, now}: Screen, wording: Wording, tabs: Tabs): readonly Part[] {
	switch (console.state) {
		case 'opening':
		case 'own':
			return [];
		case 'lost':
			return [{rank: 10, spans: [span('no connection', 'bad')]}];
		case 'attached': {
			if (wording === 'terse') {
				return [{rank: 7, spans: [span(tabs === 'tabs' ? 'att' : 'attached', 'dim')]}];
			}

			const up = gateway.phase === 'running' ? uiText` · up ${uptimeText(now - gateway.startedAt)}` : '';
			return [{rank: 7, spans: [span(uiText`attached · pid ${console.pid}${up}`, 'dim')]}];
		}
	}
}

function gatewayParts({gateway}: Snapshot, wording: Wording): readonly Part[] {
	switch (gateway.phase) {
		case 'starting':
			return [{rank: 10, spans: [span('starting', 'busy')]}];
		case 'running':
			return [
				...(gateway.drainingUntil === undefined
					? []
					: [{rank: 10, spans: [drainingSpan(gateway.drainingUntil, wording)]}]),
				...(gateway.profile === 'default' ? [] : [{rank: 4, spans: [span(`profile ${gateway.profile}`)]}]),
				...(gateway.demo ? [{rank: 7, spans: [span('DEMO', 'notice')]}] : []),
			];
		case 'stopped':
			return [{rank: 10, spans: [span('stopped', 'bad')]}];
	}
}

/** That a stop has begun; nothing is refused until then. */
function drainingSpan(until: number, wording: Wording): Span {
	return span(wording === 'terse' ? 'draining' : uiText`draining until ${timeOfDay(until)}`, 'busy');
}

function webhookPiece(webhook: WebhookRow, wording: Wording): Span {
	switch (webhook.state) {
		case 'off':
			return span(wording === 'full' ? 'webhooks off' : 'hooks off', 'dim');
		case 'listening':
			return span(wording === 'full' ? `${webhook.url} listening` : `${portOf(webhook.url)} up`, 'good');
		case 'failed':
			return span(wording === 'full' ? `${glyphs.bad} webhooks failed` : `${glyphs.bad} hooks`, 'bad');
	}
}

/** `:8644`, or the whole URL if it has no port. */
function portOf(url: string): string {
	const port = URL.canParse(url) ? new URL(url).port : '';
	return port === '' ? url : `:${port}`;
}

/** `214 (4 rejected)`: all webhook requests. */
function requestCount({counters}: Snapshot): string {
	return `${counters.webhooks}${counters.webhooksRejected > 0 ? ` (${counters.webhooksRejected} rejected)` : ''}`;
}

/** That everything is held: the reason gives way to what releases it. */
function holdLine({since, by, reason, waiting}: HoldRow, {size, readOnly}: Screen): Line {
	const isNarrow = layoutName(size) === 'narrow';
	const start = isNarrow
		? uiText`HELD ${timeOfDay(since).slice(0, 5)} ${by}`
		: uiText`held since ${timeOfDay(since)} by ${by}`;
	const calls = waiting === 0 ? '' : uiText` · ${counted(waiting, ['call waits', 'calls wait'])}`;
	const keys: Line = readOnly ? [] : [span(uiText` · `), span('H', 'accent'), span(isNarrow ? '' : ' releases')];
	const head: Line = [span(isNarrow ? '' : ` ${glyphs.bad} `, 'bad'), span(start, 'bad')];
	const rest: Line = [span(isNarrow ? '' : calls, 'bad'), ...keys];
	const room = size.columns - lineWidth([...head, ...rest]) - 3;
	const why = reason === '' || room < 4 ? '' : uiText` · ${cutToWidth(reason, room)}`;
	return [...head, span(why), ...rest];
}

/** The line under the header while something needs a person, or in the demo; absent otherwise. */
function bannerLine({snapshot, ui, size, now, readOnly}: Screen): Line | undefined {
	const {approvals, questions, proposals, gateway} = snapshot;
	if (waitingCount(snapshot) === 0) {
		return gateway.phase === 'running' && gateway.demo
			? [
					span(' DEMO ', 'notice'),
					span(uiText`· throw-away state, a scripted client and a webhook that fires by itself`, 'dim'),
				]
			: undefined;
	}

	const glyph = waitingGlyph(snapshot);
	const canOpen = !readOnly && openingModes.has(ui.mode.kind);
	if (layoutName(size) === 'narrow') {
		const key = canOpen ? uiText` · A` : '';
		return [span(uiText`${glyph} ${waitingText(snapshot, size.columns - 6)}${key}`, 'notice')];
	}

	const requests = [...approvals, ...questions, ...proposals];
	const keys = canOpen
		? [span(uiText` · press `), span('A', 'accent'), span(requests.length > 0 ? ' to answer' : ' to look')]
		: [];
	const room = size.columns - ` ${glyph}  waiting`.length - lineWidth(keys);
	return [
		span(` ${glyph} ${waitingText(snapshot, room)} waiting`, 'notice'),
		...keys,
		...(requests.length === 0 ? [] : [span(requestTimes(snapshot, now))]),
	];
}

/** Modes in which the key has the meaning that the banner names: elsewhere it is a letter, or has none (`input/modes.ts`). */
const openingModes: ReadonlySet<Mode['kind']> = new Set(['browse', 'detail', 'page', 'trace', 'manual-call']);

/** The age of the oldest request, and the time until the next one expires. */
function requestTimes({approvals, questions, proposals}: Snapshot, now: number): string {
	const oldest = Math.min(...[...approvals, ...questions, ...proposals].map(row => row.requestedAt));
	const ends = [...approvals, ...questions].flatMap(row => row.expiresAt ?? []);
	const expires = ends.length === 0 ? '' : uiText` · next expires ${minutesText(Math.min(...ends) - now)}`;
	return uiText` · oldest ${minutesText(now - oldest)}${expires}`;
}

function waitingGlyph({approvals}: Snapshot): string {
	return approvals.length > 0 ? glyphs.approval : glyphs.question;
}

/** `2 approvals, 1 question`: as many kinds as fit into `room`, then `and 3 more`. */
function waitingText(snapshot: Snapshot, room: number): string {
	const counts = waitingCounts(snapshot);
	const kinds = waitingNouns.filter(([kind]) => counts[kind] > 0);
	const wordings = kinds.map((_, index) => {
		const named = kinds.slice(0, kinds.length - index).map(([kind, ...nouns]) => counted(counts[kind], nouns));
		const rest = kinds.slice(kinds.length - index).reduce((sum, [kind]) => sum + counts[kind], 0);
		return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
	});
	return wordings.find(text => text.length <= room) ?? `${waitingCount(snapshot)}`;
}

/** The counted kinds, in the order in which they are named. */
const waitingNouns: ReadonlyArray<readonly [kind: keyof WaitingCounts, one: string, several: string]> = [
	['approvals', 'approval', 'approvals'],
	['questions', 'question', 'questions'],
	['proposals', 'install', 'installs'],
	['logins', 'login', 'logins'],
	['uncertain', 'uncertain call', 'uncertain calls'],
	['inbox', 'inbox item', 'inbox items'],
	['failedDeliveries', 'failed delivery', 'failed deliveries'],
];

function counted(count: number, [one, several]: readonly [one: string, several: string]): string {
	return `${count} ${count === 1 ? one : several}`;
}
