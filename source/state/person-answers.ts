import {type JsonObject} from '../util/json-text.ts';
import {type ApprovalScope} from './approval-event.ts';

/** A person's answer to an approval. */
export type Verdict =
	| {readonly kind: 'approve'; readonly scope: ApprovalScope}
	| {readonly kind: 'deny'; readonly message?: string};

/** A tool server as a person types it: a command line or an address. */
export type NewServer =
	| {readonly kind: 'stdio'; readonly name: string; readonly command: string; readonly args: readonly string[]}
	| {readonly kind: 'http'; readonly name: string; readonly url: string};

/** A person's answer to a question: the values of the form by field name, or why there are none. */
export type QuestionAnswer =
	/** With `open` the person also wants this address, as it was shown, opened in the browser of this machine. */
	| {readonly kind: 'accept'; readonly values: JsonObject; readonly open?: string | undefined}
	| {readonly kind: 'decline'}
	| {readonly kind: 'cancel'};

/** A person's answer to a server that wants to be installed. */
export type ProposalAnswer =
	| {readonly kind: 'confirm'}
	| {readonly kind: 'rename'; readonly name: string}
	| {readonly kind: 'cancel'};
