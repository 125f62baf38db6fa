import {type Masks} from '../../state/approval-event.ts';
import {type Command} from '../../state/command.ts';
import {type PageSubject} from '../../state/view-event.ts';
import {type Form} from './form.ts';

/** A text a person types. The input component holds the cursor; a new revision makes it take over `value`. */
export type TextField = {readonly value: string; readonly revision: number};

/** Whether a person has had all of a request before them, without a gap. */
export type Reading = 'unread' | 'read';

/** The review of one request. It changes by keys or by the core's events, never by an arrival. */
export type ReviewMode = {
	readonly kind: 'review';
	readonly cardId: string;
	readonly page: 'card' | 'whole' | 'always';
	/** The key that has to be pressed a second time. */
	readonly again: 'once' | 'session' | undefined;
	readonly scroll: number;
	/** How many content lines have been on the screen, counted from the first. */
	readonly seenLines: number;
	/** Answers sent for this card. Each one makes the keys wait anew. */
	readonly answers: number;
	/** What was asked of the last key, in words. */
	readonly hint: string;
	readonly whole: WholeView;
};

/** The page with all of a request: where it was scrolled to, what of it was read, and what was searched for. */
export type WholeView = {
	readonly scroll: number;
	/** How many of its rows have been on the screen without a gap, counted from the first. */
	readonly seenLines: number;
	/** How far anybody got on it, since the request was opened. */
	readonly reading: Reading;
	readonly masks: Masks;
	/** The rows on which the words stand, and the one that was gone to. */
	readonly found: {readonly words: string; readonly rows: readonly number[]; readonly at: number} | undefined;
};

/** The page while it is not open. */
export const closedWhole: WholeView = {scroll: 0, seenLines: 0, reading: 'unread', masks: 'on', found: undefined};

/** The dialog of a server that wants to be installed. Its members mean what they mean on a review. */
export type ProposalMode = {
	readonly kind: 'proposal';
	readonly id: string;
	readonly again: 'install' | undefined;
	readonly scroll: number;
	readonly seenLines: number;
	readonly answers: number;
	readonly hint: string;
};

/** What is left on the screen of a request, question or proposal that no longer waits. No key decides there. */
export type SettledMode = {
	readonly kind: 'settled';
	readonly title: string;
	/** What became of it, and why. */
	readonly what: string;
	readonly why: string;
	readonly scroll: number;
};

/** What a yes or no is about. */
export type Question =
	| {readonly kind: 'quit'}
	| {readonly kind: 'suspend'}
	| {readonly kind: 'set-enabled'; readonly server: string; readonly profile: string; readonly enabled: boolean}
	| {readonly kind: 'start-demo'}
	/** A yes cancels the question of a server or run; a no leaves it waiting. */
	| {readonly kind: 'cancel-question'; readonly form: Form}
	| {
			readonly kind: 'order';
			/** What a yes does, said before it is done. */
			readonly words: string;
			readonly command: Command;
			/** What is under way after a yes. */
			readonly doing: string;
			/** Where a yes leads. */
			readonly next: 'behind' | 'list';
	  };

/** What a typed line is for. */
export type PromptPurpose =
	/** A search on the page with all of a request. */
	| {readonly kind: 'find'}
	| {readonly kind: 'start-run'; readonly profile?: string | undefined}
	| {readonly kind: 'follow-up'; readonly runId: string; readonly profile: string}
	| {readonly kind: 'answer-inbox'; readonly runId: string; readonly profile: string}
	| {readonly kind: 'finish-login'; readonly server: string; readonly profile: string}
	| {readonly kind: 'rename-proposal'; readonly id: string; readonly profile: string};

/** A page of the gateway, asked for and perhaps not yet there. */
export type PageMode = {
	readonly kind: 'page';
	readonly subject: PageSubject;
	readonly scroll: number;
	readonly behind: Mode;
};

/** What owns the keys. */
export type Mode =
	| {readonly kind: 'browse'}
	| {readonly kind: 'detail'; readonly id: string; readonly scroll: number}
	| ReviewMode
	| ProposalMode
	| SettledMode
	| PageMode
	| {readonly kind: 'form'; readonly form: Form; readonly behind: Mode}
	| {readonly kind: 'form-text'; readonly form: Form; readonly field: TextField; readonly behind: Mode}
	| {readonly kind: 'login'; readonly server: string; readonly profile: string; readonly scroll: number}
	| {readonly kind: 'hand-call'; readonly requestId: string; readonly name: string; readonly scroll: number}
	| {
			readonly kind: 'deny-message';
			readonly review: ReviewMode;
			readonly field: TextField;
			/** Shown instead of the card when that no longer waits. */
			readonly settled?: SettledMode;
	  }
	| {readonly kind: 'confirm'; readonly question: Question; readonly behind: Mode}
	| {readonly kind: 'help'; readonly scroll: number; readonly behind: Mode}
	| {readonly kind: 'prompt'; readonly purpose: PromptPurpose; readonly field: TextField; readonly behind: Mode}
	| {readonly kind: 'palette'; readonly field: TextField}
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

/** Whether letters are text. */
export function isTextMode(mode: Mode): mode is TextMode {
	return 'field' in mode;
}

/** An empty text field. */
export const emptyField: TextField = {value: '', revision: 0};
