import {type MethodName} from '../../state/api.ts';
import {type KeyNames} from '../../state/entities/entity.ts';
import {listedEvents, nextOlder} from '../../state/entities/older-events.ts';
import {ringLimits} from '../../state/reduce.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {runGroups, waitingCount} from '../../state/waiting.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {type Span, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {askedToolRows, askedView, askerRows} from './asked-rows.ts';
import {callListRow, serverCallRow} from './call-rows.ts';
import {createEventRows} from './event-list.ts';
import {failuresOfJob, jobRows} from './job-rows.ts';
import {type ListRow, rememberList} from './list-row.ts';
import {logListRow} from './log-rows.ts';
import {loginListRow} from './login-rows.ts';
import {countTrouble, isRouteRow, overviewRows, overviewStart} from './overview-rows.ts';
import {partRows} from './part-rows.ts';
import {countRehearsed, rehearsalRows} from './rehearsal-rows.ts';
import {failuresOfRoute, isRouteInTrouble, routeRows} from './route-rows.ts';
import {isRulesProblem, ruleRows} from './rule-rows.ts';
import {runRows} from './run-rows.ts';
import {type SortColumn, type Sorting} from './sorting.ts';
import {toolListRow} from './tool-rows.ts';
import {youRows} from './you-rows.ts';

/** A list of the dashboard: its key, its rows, and its text while empty. */
export type View = {
	/** The key that opens it from everywhere: a digit, or a letter for one that is needed less often. A list without one has no tab: it is opened from another view, or by a typed command. */
	readonly key?: string;
	readonly title: string;
	/** Its title in the line of tabs, where that is shorter. */
	readonly tab?: string;
	/** The count on its tab of rows that are worth a look; the log has had `unread` causes of trouble since it was looked at. */
	readonly mark?: (snapshot: Snapshot, unread: number) => Span;
	/** Its contents, for the table of keys; only if the title does not name them. */
	readonly about?: string;
	/** `missing` is the text while the gateway has not sent the list. */
	readonly empty: string | ((snapshot: Snapshot, missing: string, place: 'view' | 'section') => string);
	/** The method that reads the list. */
	readonly method?: MethodName;
	/** The key that fills it while it is empty. */
	readonly offer?: {readonly action: Parameters<KeyNames['named']>[0]; readonly words: string};
	/** The parts of the snapshot from which its rows are built. While they are the same objects, the rows are the same too. */
	readonly sources: ReadonlyArray<keyof Snapshot>;
	/** All its rows, unfiltered. */
	readonly rows: (snapshot: Snapshot) => readonly ListRow[];
	/** The columns it can be sorted by, besides its own order. */
	readonly sorts?: readonly SortColumn[];
	/** Rows of a lower group come first in every order. Default: those that are over come last. */
	readonly groupOf?: (row: ListRow) => number;
	/** The title above the rows of a group; empty for none. Another order may have no groups. */
	readonly groups?: {readonly titleOf: (row: ListRow) => string; readonly in: 'every-order' | 'own-order'};
	/** Number of its entries, if it has other rows, too. */
	readonly count?: (snapshot: Snapshot) => number;
	/** The number of rows that are kept of those that came, the newest. */
	readonly limit?: number;
	/** The index of the row that is picked until the selection moves. Default: the first. */
	readonly start?: (rows: readonly ListRow[]) => number;
	/** The time before which the journal is asked for older rows on the way past the oldest one; null: now; undefined: there are none. */
	readonly older?: (snapshot: Snapshot) => number | null | undefined;
	/** Set where the newest row is the last one, and the list follows it until the selection moves. */
	readonly follows?: true;
	/** The profile of its rows, if it shows those of one profile only. */
	readonly profile?: (snapshot: Snapshot) => string | undefined;
};

const eventListRows = createEventRows();
const logListRows = rememberList(logListRow);

/** `!3`; empty for none. */
function countMark(glyph: string, count: number, tone: Span['tone']): Span {
	return span(count === 0 ? '' : `${glyph}${count.toLocaleString('en-US')}`, tone);
}

const table = {
	overview: {
		key: '1',
		title: 'Overview',
		about: 'waiting items, routes, servers',
		empty: 'no tool servers',
		offer: {action: 'add-server', words: 'to add one'},
		sources: ['routes', 'servers', 'failedDeliveries', 'gateway', 'rates'],
		rows: overviewRows,
		sorts: ['name', 'state', 'rate', 'failed', 'p50', 'last'],
		groupOf: row => (isRouteRow(row) ? 0 : 1),
		start: overviewStart,
		mark: snapshot => countMark('!', countTrouble(snapshot), 'bad'),
	},
	you: {
		key: '2',
		title: 'You',
		about: 'waiting for you, and already decided',
		empty: 'nothing is waiting for you, and nothing was decided yet',
		mark: snapshot =>
			countMark(snapshot.approvals.length > 0 ? glyphs.approval : glyphs.question, waitingCount(snapshot), 'notice'),
		sources: [
			'approvals',
			'questions',
			'proposals',
			'uncertain',
			'servers',
			'logins',
			'runs',
			'failedDeliveries',
			'gateway',
			'rates',
			'decisions',
			'answered',
		],
		rows: youRows,
		sorts: ['name', 'asker'],
		groups: {titleOf: ({isPast}) => (isPast ? 'decided' : ''), in: 'every-order'},
	},
	events: {
		key: '3',
		title: 'Events',
		empty: ({olderEvents}, missing, place) =>
			olderEvents ? 'no events yet' : place === 'section' ? 'no events since the start' : missing,
		method: 'events.older',
		sources: ['events', 'olderEvents'],
		rows: snapshot => eventListRows(listedEvents(snapshot)),
		count: snapshot => listedEvents(snapshot).length,
		sorts: ['name', 'state', 'took'],
		follows: true,
		older: nextOlder,
		limit: ringLimits.events,
	},
	runs: {
		key: '4',
		title: 'Runs and inbox',
		tab: 'Runs',
		mark: ({runs}) => countMark(glyphs.running, runs.filter(({state}) => state === 'running').length, 'busy'),
		empty: 'no runs yet',
		offer: {action: 'new-run', words: 'to start one'},
		sources: ['runs'],
		rows: runRows,
		sorts: ['name', 'state', 'took', 'calls', 'tokens'],
		groups: {titleOf: ({group = 0}) => runGroups[group] ?? '', in: 'own-order'},
	},
	jobs: {
		key: '5',
		title: 'Jobs',
		about: 'scheduled jobs',
		mark: ({jobs, failedDeliveries}) =>
			countMark('!', jobs.filter(job => failuresOfJob(job, failedDeliveries).length > 0).length, 'bad'),
		empty: uiText`no scheduled jobs · sluice cron create`,
		sources: ['jobs', 'failedDeliveries', 'gateway'],
		rows: jobRows,
		sorts: ['name', 'state', 'next', 'last'],
	},
	routes: {
		key: '6',
		title: 'Routes',
		about: 'webhook routes',
		mark: ({routes, failedDeliveries}) =>
			countMark(
				'!',
				routes.filter(route => isRouteInTrouble(route, failuresOfRoute(route, failedDeliveries))).length,
				'bad',
			),
		empty: uiText`no webhook routes · sluice webhook subscribe NAME`,
		sources: ['routes', 'failedDeliveries', 'gateway', 'rates'],
		rows: routeRows,
		sorts: ['name', 'state', 'rate', 'failed', 'last'],
	},
	calls: {
		key: '7',
		title: 'Calls under way',
		tab: 'Calls',
		mark: ({calls}) => countMark(glyphs.running, calls.length, 'busy'),
		empty: 'no calls under way',
		sources: ['calls'],
		rows: ({calls}) => calls.map(callListRow),
		sorts: ['name'],
	},
	log: {
		key: 'W',
		title: 'Log',
		about: 'the log: warnings, errors and what else happened',
		empty: 'the log is empty',
		mark: (_, unread) => countMark('!', unread, 'busy'),
		sources: ['log'],
		rows: ({log}) => logListRows(log),
		sorts: ['name', 'state'],
		follows: true,
		limit: ringLimits.log,
	},
	parts: {
		key: 'P',
		title: 'Parts',
		about: 'model, endpoint, platforms',
		mark: ({endpoint}) => countMark('!', endpoint?.state === 'failed' ? 1 : 0, 'bad'),
		empty: 'no status yet',
		sources: ['models', 'endpoint', 'platforms', 'failedDeliveries', 'gateway'],
		rows: partRows,
		sorts: ['name', 'state'],
	},
	logins: {
		title: 'Logins',
		empty: 'no logins',
		offer: {action: 'login', words: 'on a server'},
		sources: ['logins'],
		rows: ({logins}) => logins.map(loginListRow),
		sorts: ['name', 'state'],
	},
	tools: {
		title: 'Tools',
		empty: ({toolList}, missing) => (toolList ? 'no tools' : missing),
		method: 'mcp.view-tools',
		sources: ['toolList'],
		rows: ({toolList}) => toolList?.tools.map(toolListRow) ?? [],
		sorts: ['name', 'state', 'tokens'],
		profile: ({toolList}) => toolList?.profile,
	},
	'server-calls': {
		title: 'Latest calls',
		empty: ({serverCalls}, missing) => (serverCalls ? 'no calls of this server in the journal' : missing),
		method: 'mcp.view-calls',
		sources: ['serverCalls'],
		rows: ({serverCalls}) => serverCalls?.calls.map(call => serverCallRow(call, serverCalls)) ?? [],
		sorts: ['name', 'state', 'took'],
		profile: ({serverCalls}) => serverCalls?.profile,
	},
	rules: {
		title: 'Rules',
		empty: ({ruleList}, missing) => (ruleList ? 'no rules and no remembered approvals' : missing),
		method: 'rules.view',
		// The question may have been lost with its gateway.
		offer: {action: 'show-rules', words: 'to read them again'},
		sources: ['ruleList'],
		rows: ruleRows,
		sorts: ['name', 'state', 'asker', 'uses', 'used'],
		groupOf: row => (isRulesProblem(row) ? 0 : 1),
		profile: ({ruleList}) => ruleList?.profile,
	},
	askers: {
		...askedView,
		title: 'Who asks',
		rows: ({askerList}) => askerRows(askerList),
		sorts: ['name', 'kind', 'asked', 'allowed', 'denied', 'last'],
	},
	'asked-tools': {
		...askedView,
		title: 'What is asked for',
		rows: ({askerList}) => askedToolRows(askerList),
		sorts: ['name', 'asked', 'allowed', 'denied', 'last'],
	},
	rehearsal: {
		title: 'Rules on recorded calls',
		empty: (_, missing) => missing,
		method: 'rules.rehearse',
		offer: {action: 'rehearse-rules', words: 'to try again'},
		sources: ['rehearsal'],
		rows: rehearsalRows,
		count: countRehearsed,
		profile: ({rehearsal}) => rehearsal?.profile,
	},
} satisfies Record<string, View>;

/** Every list of the dashboard, by the name that keys, filters and selections use. */
export type ViewName = keyof typeof table;

/** The orders of lists that are not in their own order. */
export type Sortings = Readonly<Partial<Record<ViewName, Sorting>>>;

/** The only table of views. Keys, help, titles, rows and filters are derived from it; its order is that of the tabs. */
export const views: Readonly<Record<ViewName, View>> = table;

/** A lower list has no room for the titles of several groups. */
const minGroupRows = 8;

/** The title of a row's group in a view of so many rows; undefined where there are no groups. */
export function groupTitle(view: ViewName, sort: Sortings, rows: number): ((row: ListRow) => string) | undefined {
	const {groups} = views[view];
	const isOwn = sort[view] === undefined && rows >= minGroupRows;
	return groups && (groups.in === 'every-order' || isOwn) ? groups.titleOf : undefined;
}

/** The names of all views, in the order of the table. */
export const allViews = Object.keys(table) as readonly ViewName[];

/** The views with a tab. */
export const tabViews = allViews.filter(hasTab);

/** True if a view has a key and a tab of its own; each other one belongs to a view that has. */
export function hasTab(view: ViewName): boolean {
	return views[view].key !== undefined;
}

/** True if the newest row of a view is its last one, and the list follows it until the selection moves: only in the view's own order. */
export function follows(view: ViewName, sort: Sortings): boolean {
	return views[view].follows === true && sort[view] === undefined;
}

/** A view by its key, where it has one, and its title: `1 Overview`. */
export function viewLabel(view: ViewName): string {
	const {key, title} = views[view];
	return key === undefined ? title : `${key} ${title}`;
}
