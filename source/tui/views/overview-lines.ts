import {type LimitState, limitText} from '../../state/limit-state.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {type ModelRow, type Snapshot} from '../../state/snapshot.ts';
import {emptyText, keysPlace, listLines} from '../components/list-lines.ts';
import {type ColumnHead, columnHeads} from '../lists/columns.ts';
import {type ListRow} from '../lists/list-row.ts';
import {isRouteRow, routeColumns} from '../lists/overview-rows.ts';
import {routeOf} from '../lists/route-rows.ts';
import {shortSortingText, sortingText} from '../lists/sorting.ts';
import {serverId} from '../../state/entities/server.ts';
import {serverColumns, serverColumnsStart} from '../lists/server-rows.ts';
import {viewRows} from '../lists/view-rows.ts';
import {failedDeliveryId} from '../../state/entities/delivery.ts';
import {keyNames} from '../state/key-names.ts';
import {profileCells} from '../state/profiles.ts';
import {type Screen} from '../state/screen.ts';
import {listPosition, type ListPosition} from '../state/selection.ts';
import {layoutName} from '../text/layout.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cutLine, type Line, lineWidth, ruleLine, type Span, span} from '../text/span.ts';
import {ruleWithHeads, type Titles} from './rule-with-heads.ts';
import {failingText, glyphs, partText} from '../../state/entities/status-text.ts';

/** One list of the overview. */
type Section = {
	readonly noun: 'routes' | 'servers';
	readonly rows: readonly ListRow[];
	/** Number of entries without a filter. */
	readonly all: number;
	/** Of its first row, among those of all sections. */
	readonly index: number;
	readonly heads: readonly ColumnHead[];
};

/** Number of rows of the routes and servers when nothing is cut. */
export function sectionRows(screen: Screen): number {
	return sectionsOf(screen).reduce((sum, {rows}) => sum + Math.max(1, rows.length) + 1, 0);
}

/** The routes, then the servers, in at most so many lines; where they need more, each scrolls in its share of them or what the other leaves. */
export function sectionLines(screen: Screen, height: number): readonly Line[] {
	const position = listPosition(screen.ui, 'overview', screen.snapshot);
	const sections = sectionsOf(screen);
	const wanted = sections.map(({rows}) => Math.max(1, rows.length) + 1);
	const shares = sharesOf(sections, height);
	return sections.flatMap((section, index) => {
		const others = wanted.reduce((sum, rows, other) => (other === index ? sum : sum + rows), 0);
		const room = Math.min(wanted[index] ?? 0, Math.max(shares[index] ?? 0, height - others));
		return shownSection(section, screen, {position, room, isFirst: index === 0});
	});
}

/** Rows of a section in which nothing is wrong: its title, a row, and the number of the others. */
const leastSection = 3;

/** Half of the lines for each section; what one of them needs for its rows in trouble comes before the fine rows of the other. */
function sharesOf(sections: readonly Section[], height: number): readonly number[] {
	const [first, second] = sections;
	if (!first || !second) {
		return [height];
	}

	const halves = [Math.ceil(height / 2), Math.floor(height / 2)] as const;
	const [ofFirst, ofSecond] = [first, second].map(needOf) as [number, number];
	if (ofSecond > halves[1] && ofFirst < halves[0]) {
		return [Math.max(ofFirst, height - ofSecond), Math.min(height - ofFirst, ofSecond)];
	}

	return ofFirst > halves[0] && ofSecond < halves[1]
		? [Math.min(height - ofSecond, ofFirst), Math.max(ofSecond, height - ofFirst)]
		: halves;
}

/** Rows that a section needs for those in trouble, with its title and the number of the others. */
function needOf({rows}: Section): number {
	return Math.max(leastSection, 2 + rows.filter(row => row.trouble).length);
}

function sectionsOf(screen: Screen): readonly Section[] {
	const {ui, snapshot, size} = screen;
	const {rows} = listPosition(ui, 'overview', snapshot);
	const routes = rows.filter(isRouteRow);
	const profile = profileCells(snapshot, size.columns);
	const width = size.columns - cursorCells - profile;
	const start = cursorCells + profile;
	const isNarrow = layoutName(size) === 'narrow';
	const servers: Section = {
		noun: 'servers',
		rows: rows.slice(routes.length),
		all: snapshot.servers.length,
		index: routes.length,
		heads: isNarrow ? [] : columnHeads(serverColumns(width), start + serverColumnsStart(width)),
	};
	return snapshot.routes.length === 0
		? [servers]
		: [
				{
					noun: 'routes',
					rows: routes,
					all: snapshot.routes.length,
					index: 0,
					heads: columnHeads(routeColumns(width), start),
				},
				servers,
			];
}

const cursorCells = 2;

function shownSection(
	section: Section,
	screen: Screen,
	{position, room, isFirst}: {readonly position: ListPosition; readonly room: number; readonly isFirst: boolean},
): readonly Line[] {
	const {ui, snapshot, size, now} = screen;
	const {rows, index: first} = section;
	const picked = position.index - first;
	const isPicked = picked >= 0 && picked < rows.length;
	const place = keysPlace(ui);
	const title = ruleWithHeads(sectionTitles(section, screen, isFirst), section.heads, {
		width: size.columns,
		isPicked: isPicked && place === 'here',
	});
	if (rows.length === 0) {
		const isFiltered = section.all > 0;
		return [title, [span(`  ${isFiltered ? `no ${section.noun} match` : emptyText('overview', screen)}`, 'dim')]];
	}

	return [
		title,
		...listLines(
			{rows, index: isPicked ? picked : 0, following: false},
			{
				width: size.columns,
				height: room - 1,
				now,
				keys: keyNames(screen),
				active: ui.view === 'overview' && isPicked,
				place,
				profileCells: profileCells(snapshot, size.columns),
			},
		),
	];
}

/** Title texts from the longest to the shortest, and last the one without filter and order. */
function sectionTitles({noun, rows, all}: Section, {ui, snapshot, size}: Screen, isFirst: boolean): Titles {
	const {console} = snapshot;
	const filter = ui.filters.overview ?? '';
	const isNarrow = layoutName(size) === 'narrow';
	const trouble = rows.filter(row => row.trouble).length;
	// The mark of the tabs.
	const mark = trouble === 0 ? '' : `!${trouble}`;
	const needing =
		trouble === 0 || isNarrow
			? titleOf(uiText` · `, [`${all}`, mark])
			: `${trouble} of ${all} ${trouble === 1 ? 'needs' : 'need'} something`;
	const since = isFirst && console.state === 'lost' ? `as it was at ${timeOfDay(console.since).slice(0, 5)}` : '';
	const order = isFirst ? ui.sort.overview : undefined;
	const short = shortSortingText(order);
	const filtered = filter === '' ? '' : `filter: ${filter} (${rows.length} of ${all})`;
	return {
		worded: [
			titleOf(uiText` · `, [noun, since, filtered || needing, sortingText(order)]),
			titleOf(uiText` · `, [noun, since, filtered || needing, short]),
			titleOf(uiText` · `, [noun, since, filtered || titleOf(uiText` · `, [`${all}`, mark]), short]),
			...(isNarrow
				? [mark, ''].map(counted =>
						titleOf(' ', [noun, since, filter === '' ? counted : `/${filter} ${rows.length}/${all}`, short]),
					)
				: []),
		],
		plain: titleOf(uiText` · `, [noun, since, needing]),
	};
}

function titleOf(between: string, parts: readonly string[]): string {
	return parts.filter(part => part !== '').join(between);
}

/** The rows of what needs a person without those of the routes and servers below, with their title, in at most so many lines; none when nothing does. */
export function needsLines(screen: Screen, limit: number): readonly Line[] {
	const {snapshot, now, size} = screen;
	const keys = keyNames(screen);
	const below = new Set([
		...snapshot.servers.map(serverId),
		...snapshot.failedDeliveries.filter(row => routeOf(row, snapshot.routes)).map(failedDeliveryId),
	]);
	const rows = viewRows('you', snapshot, '').filter(({id, isPast}) => !isPast && !below.has(id));
	if (rows.length === 0 || snapshot.console.state === 'lost') {
		return [];
	}

	const lines = rows
		.slice(0, limit)
		.map((row): Line => [span('  '), ...row.line(size.columns - cursorCells, now, keys)]);
	const more = rows.length - lines.length + 1;
	return [
		ruleLine(uiText`needs you · ${rows.length}`, size.columns, 'notice'),
		...(more > 1 ? [...lines.slice(0, -1), [span(`  ${more} more ${glyphs.more}`, 'dim')]] : lines),
	];
}

/** Model, deliveries and endpoint in one line; all about them is in the view of the parts. */
export function partsLine(snapshot: Snapshot, width: number): readonly Line[] {
	const {models, endpoint} = snapshot;
	const [model] = models;
	const line: Line = [
		span(glyphs.rule, 'dim'),
		...(model
			? [...titled('model'), ...modelSpans(model), ...(models.length > 1 ? [span(`+${models.length - 1} `)] : [])]
			: []),
		...deliverySpans(snapshot),
		...(endpoint && endpoint.state !== 'off'
			? [
					...titled('endpoint'),
					span(`${partText[endpoint.state].glyph} ${partText[endpoint.state].word} `, partText[endpoint.state].tone),
				]
			: []),
	];
	const left = width - lineWidth(line);
	return line.length === 1 ? [] : [cutLine([...line, span(glyphs.rule.repeat(Math.max(0, left)), 'dim')], width)];
}

/** The limits of the day with what is spent of them in one line, those that need a person first; none where none is configured. */
export function limitsLine({limits}: Pick<Snapshot, 'limits'>, width: number): readonly Line[] {
	const shown = limits.toSorted((first, second) => urgencyOf(second) - urgencyOf(first));
	const spans = shown.flatMap((limit, index): readonly Span[] => [
		...(index === 0 ? [] : [span(uiText`· `, 'dim')]),
		span(`${limitText(limit)} `, limitTones[limit.state]),
	]);
	const line: Line = [span(glyphs.rule, 'dim'), ...titled('limits'), ...spans];
	const left = Math.max(0, width - lineWidth(line));
	return limits.length === 0 ? [] : [cutLine([...line, span(glyphs.rule.repeat(left), 'dim')], width)];
}

const limitTones = {
	counting: 'normal',
	near: 'busy',
	open: 'bad',
	lifted: 'busy',
	denied: 'bad',
	reached: 'bad',
} as const satisfies Readonly<Record<LimitState['state'], Span['tone']>>;

/** A state that needs more attention, or a larger share that is spent, comes first. */
function urgencyOf({state, spent, limit}: LimitState): number {
	const rank = {open: 4, denied: 3, reached: 3, near: 2, lifted: 1, counting: 0}[state];
	return rank + (limit === 0 ? 0 : Math.min(spent / limit, 0.99));
}

function titled(name: string): readonly Span[] {
	return [span(` ${name} `, 'dim')];
}

function modelSpans({provider, model, source}: ModelRow): readonly Span[] {
	return source === 'none'
		? [span(`${partText.none.glyph} none `, 'busy')]
		: [span(`${partText.usable.glyph} `, 'good'), span(model ? `${provider} ${model} ` : `${provider} `)];
}

/** The targets with failed deliveries and their number; otherwise the number of usable platforms. */
function deliverySpans({platforms, failedDeliveries}: Snapshot): readonly Span[] {
	const usable = platforms.filter(({state}) => state === 'usable');
	if (failedDeliveries.length === 0) {
		const names = usable.slice(0, 3).map(({platform}) => platform);
		const more = usable.length > names.length ? ` +${usable.length - names.length}` : '';
		return usable.length === 0
			? []
			: [...titled('deliveries'), span(`${partText.usable.glyph} `, 'good'), span(`${names.join(', ')}${more} `)];
	}

	const count = failedDeliveries.reduce((sum, {failures}) => sum + failures, 0);
	const targets = [...new Set(failedDeliveries.map(({target}) => target))];
	const more = targets.length > 1 ? ` +${targets.length - 1}` : '';
	return [
		...titled('deliveries'),
		span(`${failingText.glyph} ${count.toLocaleString('en-US')} to ${targets[0] ?? ''}${more} not delivered `, 'bad'),
	];
}
