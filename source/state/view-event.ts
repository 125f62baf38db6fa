import {type JsonObject} from '../util/json-text.ts';
import {type CallOutcome, type ToolHints} from './approval-event.ts';
import {type ConsoleState} from './console-state.ts';
import {type Asker, type Origin} from './origin.ts';
import {type RowSubject, type Trace} from './trace.ts';

/** One tool as the tool view shows it. Texts are safe to show. */
export type ToolRow = {
	/** `mcp__server__tool`; what a tool that is not registered would be called. */
	readonly name: string;
	readonly server: string;
	readonly tool: string;
	readonly title: string;
	readonly description: string;
	/** Absent when it is too large to show. */
	readonly inputSchema?: JsonObject;
	readonly hints: ToolHints;
	readonly trust: 'full' | 'untrusted';
	/** The approval that a call needs; `ask` if rules deny or ask for some. */
	readonly approval: 'none' | 'ask' | 'remembered';
	/** The first rules for it in words, and how many more there are. */
	readonly rules?: readonly string[];
	readonly state: 'registered' | 'filtered' | 'name-taken' | 'unusable';
	/** The tokens that its definition costs a model. */
	readonly tokens?: number;
	readonly reason?: string;
};

/** A rule of config.yaml, or a remembered approval. Texts are safe to show. */
export type RuleRow = {
	readonly id: string;
	readonly source: 'config' | 'stored';
	readonly action: 'allow' | 'ask' | 'deny';
	/** `*` where it is for any. */
	readonly server: string;
	readonly tool: string;
	/** The effect: `allows files/read_file when path is below /srv/app`. */
	readonly words: string;
	/** The reason for the rule, in the words of the file. */
	readonly reason?: string;
	readonly scope: 'run' | 'session' | 'always';
	readonly state: 'valid' | 'void';
	/** When it was remembered; nobody knows it of a rule of config.yaml. */
	readonly createdAt?: number;
	/** The calls that it decided about, as far back as the journal goes. */
	readonly uses: number;
	/** The askers of these calls, most first. */
	readonly askers?: ReadonlyArray<{readonly asker: Asker; readonly uses: number}>;
	readonly lastUsedAt?: number;
};

/** Requests of one asker about one tool that persons decided, among the newest decisions of the journal. In a view its texts are safe to show. */
export type AskedRow = {
	readonly asker: Asker;
	readonly server: string;
	readonly tool: string;
	readonly asked: number;
	readonly allowed: number;
	readonly denied: number;
	readonly lastAt: number;
	/** The newest call that was allowed, from which a rule can be made; absent where none was. */
	readonly callId?: string;
};

/** Rules that cannot be read: why, and whether calls are refused or the rules before them hold on (docs/rules.md, Mistakes in rules). */
export type RulesProblem = {readonly reason: string; readonly inForce: 'no-tool-calls' | 'former-rules'};

/** Numbers of calls by verdict: they run without a question, a person is asked, they are denied. */
export type VerdictCounts = Readonly<Record<RuleRow['action'], number>>;

/** A recorded call whose verdict is another one now, or would be. Texts are safe to show. */
export type ChangedCallRow = {
	readonly callId: string;
	readonly time: number;
	readonly server: string;
	readonly tool: string;
	readonly before: RuleRow['action'];
	readonly after: RuleRow['action'];
	/** In words, the rule that decides then, or decided before where none does any more; absent where none does or did. */
	readonly rule?: string;
};

/** The progress of a rehearsal of rules (docs/rules.md, Rehearsal). Texts are safe to show. */
export type RehearsalProgress =
	| {readonly state: 'running'; readonly calls: number}
	| {readonly state: 'failed'; readonly reason: string}
	| {
			readonly state: 'over';
			readonly calls: number;
			/** When the oldest of these calls was made; absent without calls. */
			readonly since?: number;
			readonly reach: 'all-calls' | 'newest-calls';
			/** Verdicts of then, or with all rules; `after` has those of the tried rules. */
			readonly before: VerdictCounts;
			readonly after: VerdictCounts;
			/** Number of differing verdicts; `changed` has the newest of these calls. */
			readonly changes: number;
			readonly changed: readonly ChangedCallRow[];
	  };

/** The rule that a request under review or a recorded call proposes, with the choices made so far. Texts are exact, or say that they are cut. */
export type ShownProposal = {
	/** The request, or the recorded call. */
	readonly id: string;
	readonly arguments: readonly ShownArgument[];
	/** The rule that would be stored, with its hash, or the reason that none can be. */
	readonly outcome:
		| {readonly kind: 'rule'; readonly words: string; readonly hash: string}
		| {readonly kind: 'none'; readonly why: string};
	/** The recorded calls that the rule would have allowed; absent until they are known. */
	readonly recorded?: RecordedMatches;
};

/** An argument of a proposed rule: what a rule may say of it, in words, and which of these is chosen. */
export type ShownArgument = {
	readonly name: string;
	readonly choices: readonly string[];
	readonly chosen: number;
	/** The reason that no condition is offered. */
	readonly note?: string;
};

/** Of so many recorded calls, how many a rule would have allowed that were not; and the newest of them. */
export type RecordedMatches = {
	readonly calls: number;
	readonly allowed: number;
	readonly newest: ReadonlyArray<{readonly callId: string; readonly time: number}>;
};

/** A page of events older than those of a snapshot, oldest first: those before a time, and where the next page begins; null: there are none. */
export type OlderEventsPage = {
	/** As it was asked for, in milliseconds since the epoch; null: now. */
	readonly before: number | null;
	readonly events: ReadonlyArray<{readonly type: string; readonly time: number; readonly profile: string}>;
	readonly next: number | null;
};

/** One of the latest calls of a server. Texts are safe to show, secrets masked. */
export type ServerCall = {
	readonly callId: string;
	/** The name that the tool is called by. */
	readonly name: string;
	readonly tool: string;
	/** As JSON on one line, cut. */
	readonly arguments: string;
	readonly origin: Origin;
	readonly at: number;
	/** Absent while it is under way, and where the gateway stopped during it. */
	readonly end?: {readonly outcome: CallOutcome; readonly code?: string; readonly ms: number};
};

/** A part of a page with its title. The text may have several lines and is safe to show. */
export type PageSection = {
	readonly title: string;
	readonly text: string;
	/** Data that is shown exactly as it is, the same in lines with gutters (`util/values/value-lines.ts`), or Markdown; other texts are wrapped at blanks. */
	readonly layout?: 'exact' | 'lines' | 'markdown';
	/** The data as it is copied, in place of lines with gutters; absent where only a part of it is shown. */
	readonly copy?: string;
};

/** The number of this part of a long page, from 1. */
export type PagePart = {readonly number: number; readonly of: number};

/** The subject of a page. */
export type PageSubject =
	| RowSubject
	| {readonly kind: 'dry-run'; readonly eventId: string}
	/** The details of a tool server besides its state. */
	| {readonly kind: 'server'; readonly server: string}
	| {readonly kind: 'server-log'; readonly server: string};

/** For one console alone: answers to its own questions, and its connection. They are not history: neither logs nor `--log json` have them. */
export type ViewEvent =
	| ({readonly type: 'view.console'} & ConsoleState)
	| {readonly type: 'view.tools'; readonly tools: readonly ToolRow[]}
	/** The latest calls of a server, newest first. */
	| {readonly type: 'view.server-calls'; readonly server: string; readonly calls: readonly ServerCall[]}
	| {
			readonly type: 'view.rules';
			readonly rules: readonly RuleRow[];
			readonly problem?: RulesProblem;
			/** For how many days the journal keeps the calls from which uses are counted. */
			readonly keptDays: number;
	  }
	| {readonly type: 'view.askers'; readonly counts: readonly AskedRow[]}
	/** The result of `rules.propose`, or its note. */
	| ({readonly type: 'view.rule-proposal'} & ShownProposal)
	| {
			readonly type: 'view.rehearsal';
			/** The rule that is left out, in words; absent: all rules are compared with what was decided. */
			readonly without?: string;
			readonly progress: RehearsalProgress;
	  }
	| {
			readonly type: 'view.page';
			readonly subject: PageSubject;
			readonly title: string;
			readonly sections: readonly PageSection[];
			/** Absent: the page is whole. */
			readonly part?: PagePart;
	  }
	| ({readonly type: 'view.trace'} & Trace)
	| ({readonly type: 'view.older-events'} & OlderEventsPage)
	| {
			readonly type: 'view.call';
			readonly requestId: string;
			readonly name: string;
			readonly outcome: CallOutcome;
			/** Result or error as text, bounded. */
			readonly text: string;
	  };

/** True for events of one console alone, which asked for them: they are no lines of the log. */
export function isViewEvent<Event extends {readonly type: string}>(event: Event): event is Extract<Event, ViewEvent> {
	return event.type.startsWith('view.');
}
