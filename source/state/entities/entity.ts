import {actionCommands, actionKeys, type NextAction} from '../next-action.ts';
import {type JsonKind} from './json-kind.ts';
import {type StatusLabel, type Tone} from './status-text.ts';

/** The surroundings of a row on the screen. */
export type At = {
	/** Milliseconds since the epoch, for ages and countdowns. */
	readonly now: number;
	/** Cells of the screen that the row has. */
	readonly width: number;
	readonly keys: KeyNames;
};

/** One property of an entity. The places that show it name it by its key; texts are safe to show. */
export type Field<Row> = {
	/** The kind of its member in the rows of `--json`, which has the name of the field. Absent: no such member. */
	readonly json?: JsonKind;
	/** The same for a member that only the document of `show` has. */
	readonly show?: JsonKind;
	/** The title of its column in the table of a command. Default: its name in capitals. */
	readonly title?: string;
	/** The name by which filters know it. Default: its name. */
	readonly filter?: string;
	/** The label before it in details. Default: its name. */
	readonly label?: string | ((row: Row) => string);
	/** The text, empty where there is none; undefined: the row has no such field. */
	readonly text?: (row: Row) => string | undefined;
	/** The text in details, where it is longer or changes with time; several are lines of their own under one label. */
	readonly detail?: (row: Row, at: At) => string | readonly string[] | undefined;
};

/** The properties of an entity by name. The first ones are members of its JSON, in that order. */
export type Fields<Row> = Readonly<Record<string, Field<Row>>>;

/** The width of a column with the blank at its end, in cells: fixed, with a share of the cells beyond a screen of 80, by the cells of the screen, or all that is left. */
export type Cells = number | readonly [cells: number, share: number] | ((width: number) => number) | 'rest';

/** A column of a list in the dashboard. It is left out on screens for which it has no width. */
export type Column<Row> = {
	/** On screens of fewer than 60 cells. */
	readonly narrow?: Cells;
	/** On all others. */
	readonly wide?: Cells;
	/** The fewest cells of a screen that has room for it. */
	readonly from?: number;
	/** Default: `normal`. */
	readonly tone?: Tone | ((row: Row, at: At) => Tone);
	readonly text: (row: Row, at: At) => string;
};

/** The description of a kind of rows, from which lists, filters and details are made. */
export type Entity<Row, Name extends string = string> = {
	readonly fields: Readonly<Record<Name, Field<Row>>>;
	/** Names a row among those of its list. */
	readonly id: (row: Row) => string;
	/** The text by which the row is known elsewhere. Absent: nothing is copied. */
	readonly copy?: (row: Row) => string | undefined;
	readonly status?: (row: Row) => StatusLabel;
	/** The label of the status, the first line of details, and the text behind it. Absent: details have no such line. */
	readonly statusLine?: {
		readonly label: string;
		readonly more?: (row: Row, at: At) => {readonly text: string; readonly tone: Tone} | undefined;
	};
	/** The fields that filters search. */
	readonly filter: readonly Name[];
	/** Labels and texts between the status and the fields of the details. */
	readonly notes?: (row: Row, at: At) => ReadonlyArray<readonly [label: string, text: string]>;
	/** The fields of the details, in order. */
	readonly details: readonly Name[];
	readonly columns: ReadonlyArray<Column<Row>>;
	/** The text at the right end of a line; undefined: the line has none. */
	readonly end?: (row: Row, at: At) => string | undefined;
	/** The values besides the state by which lists sort rows; a row without a value comes last. */
	readonly values: (row: Row) => Readonly<Record<string, string | number | undefined>>;
	/** Folding of equal rows in succession; absent: they never fold. */
	readonly repeats?: {
		/** The largest belongs to the newest of them. */
		readonly at: (row: Row) => number;
		/** The texts by which equal rows are known. */
		readonly parts: (row: Row) => ReadonlyArray<string | undefined>;
		/** Default: every row. */
		readonly when?: (row: Row) => boolean;
	};
	/** True for rows in trouble, which are listed first. */
	readonly isTrouble?: (row: Row) => boolean;
	/** Set where lines do not depend on the time. */
	readonly isTimeless?: true;
	/** Set where rows are over: they come last and do not count. */
	readonly isPast?: true;
};

/** The column of the status glyph. */
export function glyphColumn<Row>(status: (row: Row) => StatusLabel): Column<Row> {
	return {narrow: 2, wide: 2, tone: row => status(row).tone, text: row => status(row).glyph};
}

/** The column of the status word. */
export function wordColumn<Row>(
	status: (row: Row) => StatusLabel,
	widths: Pick<Column<Row>, 'narrow' | 'wide'>,
): Column<Row> {
	return {...widths, tone: row => status(row).tone, text: row => status(row).word};
}

/** The actions whose keys the texts of lists may name. */
type NamedAction =
	| 'review'
	| 'add-server'
	| 'login'
	| 'new-run'
	| 'write-to-run'
	| 'close-item'
	| 'dismiss-deliveries'
	| 'server-tools'
	| 'call-happened'
	| 'call-did-not-happen'
	| 'repeat-call'
	| 'call-again'
	| 'revoke-rule'
	| 'show-rules'
	| 'show-askers'
	| 'rehearse-rules'
	| 'hold';

/** The names of keys in a text (docs/dashboard.md, Modes). A row spells none itself: it does not know which keys are offered. */
export type KeyNames = {
	readonly offers: 'everything' | 'looking';
	/** `w to answer`: the key of an action and what it is for; empty where that key is not offered. */
	readonly named: (action: NamedAction, words: string) => string;
};

/** The next step: in keys of the dashboard, or in commands where it offers no keys. */
export function nextActionText(
	{nextActions, profile}: {readonly nextActions?: readonly NextAction[] | undefined; readonly profile: string},
	{offers}: KeyNames,
): string {
	return offers === 'everything' ? actionKeys(nextActions) : (actionCommands(nextActions, {profile}) ?? '');
}
