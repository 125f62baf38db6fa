import {hasTab, tabViews, type ViewName, views} from '../lists/view-table.ts';
import {type Screen} from '../state/screen.ts';
import {countTroubles} from '../state/troubles.ts';
import {type Line, lineWidth, type Span, span} from '../text/span.ts';

/** A tab with its title, or with no more than its key and its mark. */
type Tab = {readonly view: ViewName; readonly mark: Span; readonly form: 'full' | 'short'};

type Shown = Pick<Screen, 'snapshot' | 'ui'>;

/** Blanks between two tabs, and between a title and its mark: the widest that leave room for all titles. */
type Gaps = {readonly tabs: string; readonly mark: string};

const widths: readonly [Gaps, ...Gaps[]] = [
	{tabs: ' ', mark: ''},
	{tabs: '  ', mark: ''},
	{tabs: '  ', mark: ' '},
];

/** All views with a tab, the current one marked, and what in them is worth a look. Blanks give way where there is no room, then titles, the current one last. */
export function tabLine(shown: Shown, width: number): Line {
	const current = currentView(shown);
	const tabs = tabsOf(shown);
	const lineOf = (formed: readonly Tab[], gaps: Gaps) => [span(' '), ...joined(formed, gaps, current)];
	const whole = widths.map(gaps => lineOf(tabs, gaps)).findLast(line => lineWidth(line) <= width);
	if (whole) {
		return whole;
	}

	const rank = ({view, mark}: Tab) => (view === current ? 2 : mark.text === '' ? 0 : 1);
	// From the right: first those with nothing to see.
	const shortened = tabs.toReversed().toSorted((first, second) => rank(first) - rank(second));
	for (let count = 1; ; count++) {
		const short = new Set(shortened.slice(0, count));
		const line = lineOf(
			tabs.map((tab): Tab => (short.has(tab) ? {...tab, form: 'short'} : tab)),
			widths[0],
		);
		if (lineWidth(line) <= width || count === tabs.length) {
			return line;
		}
	}
}

/** The same without titles, for a line that has more in it. */
export function shortTabs(shown: Shown): Line {
	const tabs = tabsOf(shown).map((tab): Tab => ({...tab, form: 'short'}));
	return joined(tabs, widths[0], currentView(shown));
}

function currentView({ui: {view, home}}: Shown): ViewName {
	return hasTab(view) ? view : home;
}

function tabsOf({snapshot, ui}: Shown): readonly Tab[] {
	const unread = countTroubles(snapshot, ui.readLog);
	return tabViews.map(view => ({view, mark: views[view].mark?.(snapshot, unread) ?? span(''), form: 'full'}));
}

function joined(tabs: readonly Tab[], gaps: Gaps, current: ViewName): readonly Span[] {
	return tabs.flatMap((tab, index) => [
		...(index === 0 ? [] : [span(gaps.tabs)]),
		...tabSpans(tab, gaps, tab.view === current ? 'selected' : 'dim'),
	]);
}

function tabSpans({view, mark, form}: Tab, gaps: Gaps, tone: Span['tone']): readonly Span[] {
	const {key = '', title, tab = title} = views[view];
	if (form === 'short') {
		return [span(key, tone), mark];
	}

	const name = span(`${key} ${tab}`, tone);
	return mark.text === '' ? [name] : [name, span(gaps.mark), mark];
}
