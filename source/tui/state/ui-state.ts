import {type Tone} from '../../state/entities/status-text.ts';
import {type ConsoleState} from '../../state/console-state.ts';
import {type GatewayCall, readMethods, withVersion} from '../../state/gateway-call.ts';
import {type MethodName} from '../../state/api.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {emptySnapshot, type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {type Awaited, type AwaitedRow, type AwaitedServer} from './awaited.ts';
import {type Form} from './form.ts';
import {type Size} from '../text/layout.ts';
import {type LocalPrograms, type ProgramAct} from './local-programs.ts';
import {type Mode, type RowMode} from './mode.ts';
import {type ReviewMode} from './review.ts';
import {type FullReader} from './full-reader.ts';
import {type JobControl} from '../terminal/job-control.ts';
import {type ThemeName} from '../text/theme.ts';
import {type Shade} from '../terminal/control-sequences.ts';
import {defaultSettings, type DisplaySettings} from './display-settings.ts';
import {type Sortings, type ViewName} from '../lists/view-table.ts';

/** A line that says what just happened, for a few seconds. One about something under way is replaced by its outcome. */
export type Toast = {
	readonly id: number;
	readonly text: string;
	readonly tone: Tone;
	readonly awaited?: Awaited;
	readonly about?: 'stored-rule';
};

/** A call that ended with a problem. */
type RefusedCall = {readonly call: GatewayCall; readonly reason: string};

/**
The page beside a list: of the row on which the cursor rested or that was read there last. `call` is the last one made for it: `asking` until it has
ended; it is not repeated by itself after that, unless it is `stale`, because another call may have replaced what it read.
*/
export type PageColumn = {
	readonly view: ViewName;
	readonly mode: RowMode;
	readonly call?: GatewayCall | undefined;
	readonly state: 'asking' | 'answered' | 'stale';
};

/** All that the dashboard knows and the core does not. */
export type UiState = DisplaySettings & {
	readonly view: ViewName;
	readonly mode: Mode;
	/** The selected row per view, by id. Absent: the first row, or the newest where rows arrive. */
	readonly selected: Readonly<Partial<Record<ViewName, string>>>;
	readonly filters: Readonly<Partial<Record<ViewName, string>>>;
	/** The orders of lists that are not in their own order. */
	readonly sort: Sortings;
	/** The equal rows that are open per view, by the id of one of them. */
	readonly openFolds: Readonly<Partial<Record<ViewName, string>>>;
	/** The requests that are marked, by row, each with the digest of what was shown when it was marked. A mark decides nothing. */
	readonly marks: ReadonlyMap<string, string>;
	readonly size: Size;
	readonly toast: Toast | undefined;
	readonly toasts: number;
	/** The newest log line at the last look at the log. */
	readonly readLog: number;
	/** The newest log line that was checked for toasts. */
	readonly seenLog: number;
	/** The causes of the latest troubles that toasts were about: such a toast comes once. */
	readonly shownTroubles: readonly string[];
	readonly stopping: boolean;
	/** The last connection state that the dashboard has handled. */
	readonly console: ConsoleState;
	/** Raised to have the whole screen drawn again. */
	readonly redraws: number;
	/** The view from which a list without a tab was opened. */
	readonly home: ViewName;
	/** The background of the terminal, once it has said so. */
	readonly background: Shade | 'unknown';
	/** Answering: the terminal has replied to a request for its position. */
	readonly terminal: 'unknown' | 'answering';
	/** The keyboard is at the terminal or elsewhere, as it last reported. */
	readonly focus: 'unknown' | 'in' | 'out';
	/** Raised to arm again what is being decided, with the frame as it is. */
	readonly rearms: number;
	/** Commands that were typed or chosen, the latest first. */
	readonly recent: readonly string[];
	/** The text that was copied last, and how many were. */
	readonly copied: {readonly count: number; readonly text: string};
	/** Raised to hand the terminal back to the shell. */
	readonly suspends: number;
	/** Forms of questions that were left waiting, by the question's id. */
	readonly drafts: Readonly<Record<string, Form>>;
	/** Number of full requests that the gateway has sent so far. */
	readonly fullReads: number;
	/** The time before which older events are asked for now; null: before now. */
	readonly olderAsked?: number | null | undefined;
	readonly column: PageColumn | undefined;
	/** The last call of each method, if it ended with a problem: its reason is shown in place of what was asked for. */
	readonly problems: Readonly<Partial<Record<MethodName, RefusedCall>>>;
	/** The title of the command of an own key while it runs. */
	readonly command: string | undefined;
	/** Manual calls so far; each of them is known by its number. */
	readonly manualCalls: number;
	/** Held after a card left the screen by itself: what was typed for it means nothing to the list behind it. */
	readonly keys: 'free' | 'held';
	/** The manual call that was left only to answer its approval. */
	readonly manualCall: Extract<Mode, {kind: 'manual-call'}> | undefined;
};

/** The context that a step may read. */
export type UiContext = {
	readonly snapshot: Snapshot;
	readonly readOnly: boolean;
	/** Reads all of a request; absent where no gateway is. */
	readonly readFull?: FullReader | undefined;
	/** The shell's ability to resume the program. */
	readonly jobControl?: (() => JobControl) | undefined;
	/** The own keys of the person; absent where this dashboard runs no programs. */
	readonly ownKeys?: LocalPrograms['keys'] | undefined;
};

/** An act of the window itself, beside its calls. Aborting a rehearsal ends the call that is under way. */
export type LocalAct =
	| {readonly type: 'stop'; readonly force: boolean}
	| {readonly type: 'start-demo'}
	| {readonly type: 'abort-rehearsal'}
	/** One of the programs that the process of this dashboard runs. */
	| {readonly type: 'program'; readonly act: ProgramAct};

/** The dashboard after a step, and the calls it makes. */
export type Step = {readonly ui: UiState; readonly calls: readonly GatewayCall[]; readonly act?: LocalAct};

/** The dashboard before anything happened. */
export const initialUiState: UiState = {
	view: 'overview',
	mode: {kind: 'browse'},
	selected: {},
	filters: {},
	sort: {},
	openFolds: {},
	marks: new Map(),
	size: {columns: 80, rows: 24},
	toast: undefined,
	toasts: 0,
	readLog: 0,
	seenLog: 0,
	shownTroubles: [],
	stopping: false,
	console: emptySnapshot.console,
	redraws: 0,
	home: 'overview',
	...defaultSettings,
	background: 'unknown',
	terminal: 'unknown',
	focus: 'unknown',
	rearms: 0,
	recent: [],
	copied: {count: 0, text: ''},
	suspends: 0,
	drafts: {},
	fullReads: 0,
	column: undefined,
	problems: {},
	command: undefined,
	manualCalls: 0,
	manualCall: undefined,
	keys: 'free',
};

/** The theme to draw with: `auto` is the one for the background, or dark where the terminal does not tell. */
export function drawnTheme({background}: Pick<UiState, 'background'>, theme: UiState['theme']): ThemeName {
	return theme === 'auto' ? (background === 'light' ? 'light' : 'dark') : theme;
}

/** A step that makes no call. */
export function stay(ui: UiState): Step {
	return {ui, calls: []};
}

/** The dashboard in another mode. */
export function withMode(ui: UiState, mode: Mode): UiState {
	return {...ui, mode};
}

/** The page of one more call by hand, of the tool with this name. */
export function withManualCall(ui: UiState, name: string): UiState & {readonly manualCall: object} {
	const manualCalls = ui.manualCalls + 1;
	const manualCall = {kind: 'manual-call', requestId: `hand-${manualCalls}`, name, scroll: 0} as const;
	return {...ui, manualCalls, manualCall, mode: manualCall};
}

/** The review on the screen, if there is one. */
export function reviewOf({mode}: UiState): ReviewMode | undefined {
	return mode.kind === 'review' ? mode : undefined;
}

/** The dashboard with a change to its review. */
export function withReview(ui: UiState, change: Partial<ReviewMode>): UiState {
	const review = reviewOf(ui);
	return review ? withMode(ui, {...review, ...change}) : ui;
}

/** The dashboard with a line that says what happened. */
export function withToast(ui: UiState, text: string, tone: Tone = 'normal'): UiState {
	const id = ui.toasts + 1;
	return {...ui, toasts: id, toast: {id, text, tone}};
}

/** The dashboard with a line that says what is under way, until its calls have ended. */
export function withAwaited(ui: UiState, text: string, awaited: Awaited): UiState {
	const id = ui.toasts + 1;
	return {...ui, toasts: id, toast: {id, text, tone: 'normal', awaited}};
}

/** Bounds on the characters of a toast, and on a text that terminals accept for their clipboard. */
const longestShown = 300;
const maxCopied = 74_000;

/** The dashboard after a text was copied. It is shown too, since many terminals drop what programs copy. */
export function withCopied(ui: UiState, text: string): UiState {
	const bytes = Buffer.byteLength(text);
	if (bytes > maxCopied) {
		return withToast(ui, `not copied: ${bytes.toLocaleString('en-US')} bytes are more than terminals take`, 'busy');
	}

	const shown = text.length > longestShown ? `${bytes.toLocaleString('en-US')} bytes` : text;
	return {...withToast(ui, `copied: ${shown}`, 'good'), copied: {count: ui.copied.count + 1, text}};
}

/** The row that a call about a server changes. */
export function serverAwaited(server: AwaitedServer, {snapshot}: UiContext): AwaitedRow {
	return {kind: 'server', server, before: awaitedRow(server, snapshot)};
}

/** The row of a server that is waited for. */
export function awaitedRow({server, profile}: AwaitedServer, {servers}: Snapshot): ServerRow | undefined {
	return servers.find(row => row.server === server && (profile === undefined || row.profile === profile));
}

/** Makes a call with the version of the request that was shown, unless the dashboard is read-only and the call needs more than that. */
export function withCall(ui: UiState, call: GatewayCall, context: UiContext): Step {
	if (context.readOnly && !readMethods.has(call.method)) {
		return refused(ui);
	}

	const {[call.method]: _, ...problems} = ui.problems;
	return {ui: {...ui, problems}, calls: [withVersion(call, context.snapshot)]};
}

/** The text in place of a page, a trace or a list that was asked for: the gateway is asked, or the reason that it refused. */
export function missingText({problems}: Pick<UiState, 'problems'>, call: GatewayCall | undefined): string {
	const problem = call && problems[call.method];
	return problem && isSameCall(problem.call, call) ? refusedText(problem) : askingText();
}

/** The same for the list that a method fills, with any parameters. */
export function missingListText({problems}: Pick<UiState, 'problems'>, method: MethodName | undefined): string {
	const problem = method && problems[method];
	return problem ? refusedText(problem) : askingText();
}

/** True if the gateway refused this call, and no other of its method was made since. */
export function isRefused({problems}: Pick<UiState, 'problems'>, call: GatewayCall): boolean {
	const problem = problems[call.method];
	return problem !== undefined && isSameCall(problem.call, call);
}

function isSameCall(one: GatewayCall, other: GatewayCall): boolean {
	return one.profile === other.profile && JSON.stringify(one.params) === JSON.stringify(other.params);
}

function refusedText({reason}: RefusedCall): string {
	return `refused: ${reason}`;
}

function askingText(): string {
	return uiText`asking the gateway …`;
}

/** A read-only dashboard after somebody tried to change something. It says so before a question, not after its answer. */
export function refused(ui: UiState): Step {
	return stay(withToast(ui, 'read-only: this dashboard cannot change anything', 'busy'));
}
