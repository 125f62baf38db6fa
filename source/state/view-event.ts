import {type JsonObject} from '../util/json-text.ts';
import {type CallOutcome, type ToolHints} from './approval-event.ts';

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
	/** What a call would meet at the approval check. */
	readonly approval: 'none' | 'ask' | 'remembered';
	readonly state: 'registered' | 'filtered' | 'name-taken' | 'unusable';
	readonly reason?: string;
};

/** A remembered approval. */
export type RuleRow = {
	readonly id: string;
	readonly server: string;
	readonly tool: string;
	readonly scope: 'session' | 'always';
	readonly state: 'valid' | 'void';
	readonly createdAt: number;
};

/** A part of a page with its title. The text may have several lines and is safe to show. */
export type PageSection = {readonly title: string; readonly text: string};

/** What a page is about. */
export type PageSubject =
	| {readonly kind: 'event'; readonly eventId: string}
	| {readonly kind: 'dry-run'; readonly eventId: string}
	| {readonly kind: 'server-log'; readonly server: string};

/** Answers to a dashboard's own questions. They are not history: neither logs nor `--log json` have them. */
export type ViewEvent =
	| {readonly type: 'view.tools'; readonly tools: readonly ToolRow[]}
	| {readonly type: 'view.rules'; readonly rules: readonly RuleRow[]}
	| {
			readonly type: 'view.page';
			readonly subject: PageSubject;
			readonly title: string;
			readonly sections: readonly PageSection[];
	  }
	| {
			readonly type: 'view.call';
			readonly requestId: string;
			readonly name: string;
			readonly outcome: CallOutcome;
			/** Result or error as text, bounded. */
			readonly text: string;
	  };
