import {type Tone} from '../../state/entities/status-text.ts';
import {type ConsoleState} from '../../state/console-state.ts';
import {type Command, isReadOnlyCommand} from '../../state/command.ts';
import {
	emptySnapshot,
	type JobRow,
	type LoginRow,
	type RouteRow,
	type RunRow,
	type ServerRow,
	type Snapshot,
	type UncertainRow,
	type WebhookRow,
	type RefusalRow,
} from '../../state/snapshot.ts';
import {type Form} from './form.ts';
import {type Size} from '../text/layout.ts';
import {type Mode} from './mode.ts';
import {type ReviewMode} from './review.ts';
import {type WholeReader} from './whole-reader.ts';
import {type JobControl} from '../terminal/job-control.ts';
import {type ThemeName} from '../text/theme.ts';
import {type Sortings, type ViewName} from '../lists/view-table.ts';

/** The expected change of a command, with the state at its sending. */
export type Awaited =
	| {readonly kind: 'server'; readonly server: AwaitedServer; readonly before: ServerRow | undefined}
	| {readonly kind: 'webhooks'; readonly before: WebhookRow}
	| {readonly kind: 'demo'}
	| {readonly kind: 'route'; readonly before: RouteRow}
	| {readonly kind: 'job'; readonly before: JobRow}
	| {readonly kind: 'run'; readonly before: RunRow}
	/** A new run; `after` is the newest one before it. */
	| {readonly kind: 'new-run'; readonly after: string | undefined}
	/** The replay of an event; rows of the events view up to `after` are older. */
	| {readonly kind: 'replay'; readonly eventId: string; readonly after: number}
	| {readonly kind: 'login'; readonly server: string; readonly profile: string; readonly before: LoginRow | undefined}
	/** A call that is made once more; rows of the events view up to `after` are older. */
	| {readonly kind: 'repeat'; readonly call: UncertainRow; readonly after: number}
	/** A hold, or its release. */
	| {readonly kind: 'hold'; readonly to: 'held' | 'free'}
	/** Requests that are denied together, by row with what was shown of each; so many others had changed or ended before. */
	| {readonly kind: 'denials'; readonly marks: UiState['marks']; readonly left: number}
	/** Rows that leave their list, and what is said then. */
	| {readonly kind: 'gone'; readonly list: LeavingList; readonly ids: readonly string[]; readonly says: string}
	/** A reload logs how it ended; lines up to `after` are older. */
	| {readonly kind: 'reload'; readonly after: number};

/** Lists that a row leaves when a command about it was carried out. */
export type LeavingList = 'questions' | 'calls' | 'uncertain' | 'rules' | 'failedDeliveries';

/** A server by its name; the profile is that of the first one that has it, where none is named. */
export type AwaitedServer = {readonly server: string; readonly profile?: string | undefined};

/** A line that says what just happened, for a few seconds. One about something under way is replaced by its outcome. */
export type Toast = {
	readonly id: number;
	readonly text: string;
	readonly tone: Tone;
	readonly awaited?: Awaited;
};

/** All that the dashboard knows and the core does not. */
export type UiState = {
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
	/** The latest refusal that was shown. */
	readonly seenRefusal: RefusalRow | undefined;
	/** The causes of the latest troubles that toasts were about since a key sent a command: such a toast comes once. */
	readonly shownTroubles: readonly string[];
	readonly stopping: boolean;
	/** The last connection state that the dashboard has handled. */
	readonly console: ConsoleState;
	/** Raised to have the whole screen drawn again. */
	readonly redraws: number;
	/** The view from which a list without a digit was opened. */
	readonly home: ViewName;
	readonly theme: ThemeName;
	/** Commands that were typed or chosen, the latest first. */
	readonly recent: readonly string[];
	/** The text that was copied last, and how many were. */
	readonly copied: {readonly count: number; readonly text: string};
	/** Raised to hand the terminal back to the shell. */
	readonly suspends: number;
	/** Forms of questions that were left waiting, by the question's id. */
	readonly drafts: Readonly<Record<string, Form>>;
	/** Number of full requests that the gateway has sent so far. */
	readonly wholes: number;
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
	readonly readWhole?: WholeReader | undefined;
	/** The shell's ability to resume the program. */
	readonly jobControl?: (() => JobControl) | undefined;
};

/** The dashboard after a step, and the commands it sends to the core. */
export type Step = {readonly ui: UiState; readonly commands: readonly Command[]};

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
	seenRefusal: undefined,
	shownTroubles: [],
	stopping: false,
	console: emptySnapshot.console,
	redraws: 0,
	home: 'overview',
	theme: 'dark',
	recent: [],
	copied: {count: 0, text: ''},
	suspends: 0,
	drafts: {},
	wholes: 0,
	manualCalls: 0,
	manualCall: undefined,
	keys: 'free',
};

/** A step that sends no command. */
export function stay(ui: UiState): Step {
	return {ui, commands: []};
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

/** The dashboard with a line that says what is under way, until an event of the core says how it ended. */
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

/** The expected change of a command about a server. */
export function serverAwaited(server: AwaitedServer, {snapshot}: UiContext): Awaited {
	return {kind: 'server', server, before: awaitedRow(server, snapshot)};
}

/** The row of a server that is waited for. */
export function awaitedRow({server, profile}: AwaitedServer, {servers}: Snapshot): ServerRow | undefined {
	return servers.find(row => row.server === server && (profile === undefined || row.profile === profile));
}

/** Sends a command to the core, unless the dashboard is read-only and the command changes something. */
export function withCommand(ui: UiState, command: Command, context: UiContext): Step {
	return context.readOnly && command.type !== 'stop' && !isReadOnlyCommand(command)
		? refused(ui)
		: {ui, commands: [command]};
}

/** A read-only dashboard after somebody tried to change something. It says so before a question, not after its answer. */
export function refused(ui: UiState): Step {
	return stay(withToast(ui, 'read-only: this dashboard cannot change anything', 'busy'));
}
