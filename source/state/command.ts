import {type ApprovalScope} from './event.ts';

/** A person's answer to an approval. */
export type Verdict =
	| {readonly kind: 'approve'; readonly scope: ApprovalScope}
	| {readonly kind: 'deny'; readonly message?: string};

/** A tool server as a person types it: a command line or an address. */
export type NewServer =
	| {readonly kind: 'stdio'; readonly name: string; readonly command: string; readonly args: readonly string[]}
	| {readonly kind: 'http'; readonly name: string; readonly url: string};

/** All a person can order from the window. JSON-able. The core answers with events. */
export type Command =
	| {
			readonly type: 'answer-approval';
			readonly id: string;
			readonly argumentsHash: string;
			readonly verdict: Verdict;
	  }
	| {readonly type: 'reconnect-server'; readonly server: string}
	| {readonly type: 'set-server-enabled'; readonly server: string; readonly enabled: boolean}
	| {readonly type: 'add-server'; readonly server: NewServer}
	| {readonly type: 'enable-webhooks'}
	| {readonly type: 'reload'}
	| {readonly type: 'close-inbox-item'; readonly runId: string}
	| {readonly type: 'start-demo'}
	| {readonly type: 'stop'; readonly force: boolean};

/** Sends an order to the core. Never throws; a refused order comes back as a log event. */
export type Send = (command: Command) => void;
