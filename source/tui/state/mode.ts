import {type GatewayCall} from '../../state/gateway-call.ts';
import {type LoginRow} from '../../state/snapshot.ts';
import {type TraceSubject} from '../../state/trace.ts';
import {type PageSubject} from '../../state/view-event.ts';
import {type AwaitedRow} from './awaited.ts';
import {type Form} from './form.ts';
import {type Scope} from './key-scope.ts';
import {type ReviewMode} from './review.ts';
import {type CommandEnd, type ConfigEntry, type EntryEdit, type OwnKey} from './local-programs.ts';
import {type Found} from '../text/search-hits.ts';
import {type TextField} from './text-field.ts';

/** The line under an answer that was sent: an end of the request or a refusal replaces it. */
export const sentHint = 'sent, waiting for the gateway';

/** The same once its call has ended well: the card leaves the screen with the event of its end. */
export const takenHint = 'the gateway has it';

/** The line under what is decided after a key that came too early, until keys act. */
export const earlyHint = 'press again in a moment';

/** Scroll position in a text that may be longer than the screen, and the last search in it. */
type Searchable = {readonly scroll: number; readonly found?: Found | undefined};

/** The dialog of a server that wants to be installed. Its members mean what they mean on a review. */
export type ProposalMode = Searchable & {
	readonly kind: 'proposal';
	readonly id: string;
	readonly again: 'install' | undefined;
	readonly seenLines: number;
	readonly answers: number;
	readonly hint: string;
};

/** The page of a rule that a recorded call proposes. Its members mean what they mean on a review. */
export type CallRuleMode = {
	readonly kind: 'call-rule';
	/** The call. */
	readonly id: string;
	readonly profile: string;
	readonly argument: number;
	readonly answers: number;
	readonly hint: string;
	readonly behind: Mode;
};

/** The page of a request, question or proposal that no longer waits. No key decides there. */
export type SettledMode = {
	readonly kind: 'settled';
	readonly title: string;
	/** Its outcome, and the reason of that. */
	readonly what: string;
	readonly why: string;
	readonly scroll: number;
	/** Set where the connection was lost while it was on the screen: the page follows what is known of it from then on. */
	readonly lost?: LostSubject;
	/** Set where an address was accepted: the page says once the server is finished with it. */
	readonly opened?: OpenedAddress;
};

/** An address that a person accepted, and its question. */
export type OpenedAddress = {readonly id: string; readonly address: string};

/** A request, question, proposal or call by hand that was on the screen when the connection was lost. A call has its name as id. */
export type LostSubject = {readonly kind: 'request' | 'question' | 'install proposal' | 'call'; readonly id: string};

/** The subject of a yes or no. */
export type Question =
	/** Ctrl-C as its second press stops at once, until its time is over. */
	| {readonly kind: 'quit'; readonly again?: 'lapsed'}
	| {readonly kind: 'suspend'}
	| {readonly kind: 'set-enabled'; readonly server: string; readonly profile: string; readonly enabled: boolean}
	| {readonly kind: 'start-demo'}
	/** A yes drops an edited text. */
	| {readonly kind: 'discard-edit'}
	/** A yes cancels the question of a server or run; a no leaves it waiting. */
	| {readonly kind: 'cancel-question'; readonly form: Form}
	| {
			readonly kind: 'call';
			/** The effect of a yes, shown before it. */
			readonly words: string;
			readonly call: GatewayCall;
			/** The pending work after a yes. */
			readonly pending: string;
			/** The screen after a yes. */
			readonly next: 'behind' | 'list';
			/** The row whose next state is the outcome. */
			readonly awaits?: AwaitedRow;
			/** The name of the tool that a yes calls by hand: its page comes next. */
			readonly tool?: string;
	  };

/** The purpose of a typed line. */
export type PromptPurpose =
	/** A search on the page with all of a request. */
	| {readonly kind: 'find'}
	/** The reason for a hold of everything; may be empty. */
	| {readonly kind: 'hold'}
	/** The reason for denying the marked requests; may be empty. `gone`: number of marked requests that have changed or ended. */
	| {readonly kind: 'deny-marked'; readonly marks: ReadonlyMap<string, string>; readonly gone: number}
	| {readonly kind: 'start-run'; readonly profile?: string | undefined}
	| {readonly kind: 'follow-up'; readonly runId: string; readonly profile: string}
	/** A note to a run at work. */
	| {readonly kind: 'note'; readonly runId: string; readonly profile: string}
	| {readonly kind: 'answer-inbox'; readonly runId: string; readonly profile: string}
	| {readonly kind: 'finish-login'; readonly server: string; readonly profile: string}
	| {readonly kind: 'rename-proposal'; readonly id: string; readonly profile: string};

/** The scroll of a text that is followed to its end, or opens there. */
export const end = Number.MAX_SAFE_INTEGER;

/** The page of the login to a server. */
export type LoginMode = {
	readonly kind: 'login';
	readonly server: string;
	readonly profile: string;
	readonly scroll: number;
	/** The login as it was when a key of this page asked for one; absent before, and after a refusal. */
	readonly sent?: {readonly before: LoginRow | undefined};
	/** The reason why the gateway refused the last key of this page. */
	readonly refused?: string;
};

/** A page of the gateway, asked for and perhaps not yet there. */
export type PageMode = Searchable & {
	readonly kind: 'page';
	readonly subject: PageSubject;
	readonly behind: Mode;
	/** Of a long page of a profile's rows; absent for the first. */
	readonly part?: number;
	readonly profile?: string;
};

/** The picked line of a trace: the one it was opened for, one that somebody moved to, or where another part begins or ends. */
export type PickedLine = 'subject' | 'first' | 'last' | {readonly id: string};

/** A trace of the gateway, asked for and perhaps not yet there. */
export type TraceMode = {
	readonly kind: 'trace';
	/** The row of the list from which it was opened. */
	readonly id: string;
	readonly subject: TraceSubject;
	readonly profile: string;
	/** Absent: the part that has the subject. */
	readonly part?: number;
	readonly picked: PickedLine;
	/** The reading time of the shown trace, which has been asked for again since. */
	readonly askedSince?: number;
	readonly place?: 'column';
	readonly behind: Mode;
};

/** The details of a row. */
export type DetailMode = Searchable & {
	readonly kind: 'detail';
	readonly id: string;
	/** Of what the journal has behind the row; absent for the first. */
	readonly part?: number;
	/** Set where it is read beside its list, while the screen has room for both; absent: alone. */
	readonly place?: 'column';
	readonly behind?: TraceMode;
};

/** The page of a row that is only read. */
export type RowMode = TraceMode | DetailMode;

/** The mode to draw: while a question or a text field is open, its subject stays on the screen. */
export function shownMode(mode: Mode): Mode {
	if (mode.kind === 'deny-message' && mode.settled) {
		return mode.settled;
	}

	return mode.kind === 'confirm' || mode.kind === 'prompt' || mode.kind === 'copy' ? shownMode(mode.behind) : mode;
}

/** The page of a row in the column beside its list, under what was opened from it; undefined for any other mode. */
export function columnRoot(mode: Mode): RowMode | undefined {
	if (mode.kind === 'page') {
		return columnRoot(mode.behind);
	}

	if (mode.kind === 'detail' && mode.behind) {
		return columnRoot(mode.behind);
	}

	return (mode.kind === 'detail' || mode.kind === 'trace') && mode.place === 'column' ? mode : undefined;
}
/** The text of an entry that was edited; `busy` while the editor has the terminal, or the text is written. */
export type EditMode = Searchable & {
	readonly kind: 'edit';
	readonly entry: ConfigEntry;
	readonly edit: Extract<EntryEdit, {kind: 'broken' | 'valid' | 'unwritten'}> | {readonly kind: 'busy'};
	readonly behind: Mode;
};

/** A command of an own key, and its end. */
export type CommandMode = Searchable & {
	readonly kind: 'command';
	readonly title: string;
	readonly command: OwnKey['command'];
	readonly end?: CommandEnd;
	readonly behind: Mode;
};

/** The row of the list that is open: its details, its trace, or a page of that. */
export function openRowId(mode: Mode): string | undefined {
	if (mode.kind === 'page') {
		return openRowId(mode.behind);
	}

	return mode.kind === 'detail' || mode.kind === 'trace' ? mode.id : undefined;
}

/** The mode of the dashboard: it owns the keys. */
export type Mode =
	| {readonly kind: 'browse'}
	| DetailMode
	| ReviewMode
	| ProposalMode
	| SettledMode
	| CallRuleMode
	| PageMode
	| TraceMode
	| EditMode
	| CommandMode
	| {readonly kind: 'form'; readonly form: Form; readonly behind: Mode}
	| {readonly kind: 'form-text'; readonly form: Form; readonly field: TextField; readonly behind: Mode}
	| LoginMode
	| (Searchable & {readonly kind: 'manual-call'; readonly requestId: string; readonly name: string})
	| {
			readonly kind: 'deny-message';
			readonly review: ReviewMode;
			readonly field: TextField;
			/** Shown instead of the card when that no longer waits. */
			readonly settled?: SettledMode;
	  }
	/** Asks which part of the picked row to copy. */
	| {readonly kind: 'copy'; readonly behind: Mode}
	| {readonly kind: 'confirm'; readonly question: Question; readonly behind: Mode}
	/** All of what is wrong with the gateway. */
	| (Searchable & {readonly kind: 'faults'; readonly behind: Mode})
	| {
			readonly kind: 'help';
			readonly scroll: number;
			/** The keys that are shown. */
			readonly field: TextField;
			/** The key scopes of the screen it was opened on: these come first. */
			readonly scopes: readonly Scope[];
			readonly behind: Mode;
	  }
	| {readonly kind: 'prompt'; readonly purpose: PromptPurpose; readonly field: TextField; readonly behind: Mode}
	| {
			readonly kind: 'palette';
			readonly field: TextField;
			/** The command that was chosen from the list; absent until a key did so. */
			readonly picked?: string;
			readonly behind: Mode;
	  }
	| {readonly kind: 'filter'; readonly field: TextField}
	| {
			readonly kind: 'add-server';
			readonly step: 'name' | 'address';
			readonly name: string;
			readonly field: TextField;
			readonly problem: string;
	  };

/** Modes in which letters are text. */
export type TextMode = Extract<Mode, {field: unknown}>;

/** True if letters are text. */
export function isTextMode(mode: Mode): mode is TextMode {
	return 'field' in mode;
}

/** Modes that show a text to be read, which may be longer than the screen. */
export type ReadMode = Exclude<Extract<Mode, {scroll: number}>, ReviewMode>;

/** True if a text is open for reading. */
export function isReadMode(mode: Mode): mode is ReadMode {
	return 'scroll' in mode && mode.kind !== 'review';
}

/** Modes whose text can be searched. The others are short, or their keys for it mean something else. */
type SearchMode = Extract<Mode, {kind: 'detail' | 'page' | 'manual-call' | 'faults' | 'proposal' | 'edit' | 'command'}>;

const searchModes: ReadonlySet<Mode['kind']> = new Set<SearchMode['kind']>([
	'detail',
	'page',
	'manual-call',
	'faults',
	'proposal',
	'edit',
	'command',
]);

/** True if the open text can be searched. */
export function isSearchable(mode: Mode): mode is SearchMode {
	return searchModes.has(mode.kind);
}
