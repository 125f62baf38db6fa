import {type Command} from '../state/command.ts';
import {type ServerRow, type Snapshot, type WebhookRow} from '../state/snapshot.ts';
import {type Readiness} from './arming.ts';
import {type Size} from './layout.ts';
import {type Tone} from './status-words.ts';
import {type Stroke} from './stroke.ts';
import {type ViewName} from './view-rows.ts';

/** A text a person types. The input component holds the cursor; a new revision makes it take over `value`. */
export type TextField = {readonly value: string; readonly revision: number};

/** The review of one request. It changes by keys or by the core's events, never by an arrival. */
export type ReviewMode = {
	readonly kind: 'review';
	readonly cardId: string;
	readonly page: 'card' | 'always';
	/** The key that has to be pressed a second time. */
	readonly again: 'once' | 'session' | undefined;
	readonly scroll: number;
	/** How many content lines have been on the screen, counted from the first. */
	readonly seenLines: number;
	/** Answers sent for this card. Each one makes the keys wait anew. */
	readonly answers: number;
	/** What was asked of the last key, in words. */
	readonly hint: string;
};

/** What a yes or no is about. */
export type Question =
	| {readonly kind: 'quit'}
	| {readonly kind: 'set-enabled'; readonly server: string; readonly enabled: boolean}
	| {readonly kind: 'start-demo'}
	| {readonly kind: 'close-item'; readonly runId: string};

/** What owns the keys. */
export type Mode =
	| {readonly kind: 'browse'}
	| {readonly kind: 'detail'; readonly id: string; readonly scroll: number}
	| ReviewMode
	| {readonly kind: 'deny-message'; readonly review: ReviewMode; readonly field: TextField}
	| {readonly kind: 'confirm'; readonly question: Question; readonly behind: Mode}
	| {readonly kind: 'help'; readonly scroll: number; readonly behind: Mode}
	| {readonly kind: 'palette'; readonly field: TextField}
	| {readonly kind: 'filter'; readonly field: TextField}
	| {
			readonly kind: 'add-server';
			readonly step: 'name' | 'address';
			readonly name: string;
			readonly field: TextField;
			readonly problem: string;
	  };

/** What an order will change, as it stood when it was given. */
export type Awaited =
	| {readonly kind: 'server'; readonly server: string; readonly before: ServerRow | undefined}
	| {readonly kind: 'webhooks'; readonly before: WebhookRow}
	| {readonly kind: 'demo'};

/** A line that says what just happened, for a few seconds. What is only under way gives way to its outcome. */
export type Toast = {
	readonly id: number;
	readonly text: string;
	readonly tone: Tone;
	readonly awaited?: Awaited;
};

/** All that the window knows and the core does not. */
export type UiState = {
	readonly view: ViewName;
	readonly mode: Mode;
	/** The selected row per view, by id. Absent: the first row, or the newest where rows arrive. */
	readonly selected: Readonly<Partial<Record<ViewName, string>>>;
	readonly filters: Readonly<Partial<Record<ViewName, string>>>;
	readonly size: Size;
	readonly toast: Toast | undefined;
	readonly toasts: number;
	/** The newest log line that was looked at for toasts. */
	readonly seenLog: number;
	readonly stopping: boolean;
	/** Raised to have the screen drawn anew. */
	readonly redraws: number;
};

/** What can happen to the window. */
export type UiEvent =
	| {readonly type: 'stroke'; readonly stroke: Stroke; readonly readiness: Readiness}
	/** A key of a chunk whose beginning opened a text field. */
	| {readonly type: 'typed-ahead'; readonly stroke: Stroke}
	| {readonly type: 'text-changed'; readonly text: string}
	| {readonly type: 'text-submitted'; readonly text: string}
	| {readonly type: 'pasted'; readonly text: string}
	| {readonly type: 'resized'; readonly size: Size}
	| {readonly type: 'snapshot'}
	| {readonly type: 'toast-ended'; readonly id: number};

/** What a step may look at. */
export type UiContext = {readonly snapshot: Snapshot; readonly readOnly: boolean};

/** The window after a step, and what it orders from the core. */
export type Step = {readonly ui: UiState; readonly commands: readonly Command[]};

/** The window before anything happened. */
export const initialUiState: UiState = {
	view: 'servers',
	mode: {kind: 'browse'},
	selected: {},
	filters: {},
	size: {columns: 80, rows: 24},
	toast: undefined,
	toasts: 0,
	seenLog: 0,
	stopping: false,
	redraws: 0,
};

/** Modes in which letters are text. */
export function isTextMode(mode: Mode): mode is Extract<Mode, {field: unknown}> {
	return 'field' in mode;
}

/** A step that orders nothing. */
export function stay(ui: UiState): Step {
	return {ui, commands: []};
}

/** The window with another owner of the keys. */
export function withMode(ui: UiState, mode: Mode): UiState {
	return {...ui, mode};
}

/** The window with a line that says what happened. */
export function withToast(ui: UiState, text: string, tone: Tone = 'normal'): UiState {
	const id = ui.toasts + 1;
	return {...ui, toasts: id, toast: {id, text, tone}};
}

/** The window with a line that says what is under way, until the core has told how it ended. */
export function withAwaited(ui: UiState, text: string, awaited: Awaited): UiState {
	const id = ui.toasts + 1;
	return {...ui, toasts: id, toast: {id, text, tone: 'normal', awaited}};
}

/** What an order about a server waits for. */
export function serverAwaited(server: string, {snapshot}: UiContext): Awaited {
	return {kind: 'server', server, before: snapshot.servers.find(row => row.server === server)};
}

/** Orders something from the core, unless the window may only look. */
export function order(ui: UiState, command: Command, context: UiContext): Step {
	return context.readOnly && command.type !== 'stop' ? refused(ui) : {ui, commands: [command]};
}

/** The window that may only look, after somebody tried to order something. Said before a question, not after its answer. */
export function refused(ui: UiState): Step {
	return stay(withToast(ui, 'read-only: this window orders nothing', 'busy'));
}

/** An empty text field. */
export const emptyField: TextField = {value: '', revision: 0};
