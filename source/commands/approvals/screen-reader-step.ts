import {type ApprovalScope} from '../../state/approval-event.ts';
import {type GatewayCall} from '../../state/gateway-call.ts';
import {type ShownProposal} from '../../state/view-event.ts';
import {type Form} from '../../tui/state/form.ts';

/** A form that is asked field by field: before the first, at a field, or after the last. */
export type FieldByFieldForm = {readonly form: Form; readonly at: 'start' | 'end' | number};

type ApprovalDialog = {
	readonly kind: 'approval';
	readonly id: string;
	/** `once`, `run` and `session` wait for the same number again. */
	readonly page: 'choose' | 'reason' | ApprovalScope;
	/** The part that was read out: the card, or all of the request. */
	readonly read: 'card' | 'whole';
};

/** The open dialog: one request, and its page. */
export type ScreenReaderDialog =
	| ApprovalDialog
	/** A rule from the request: while the gateway makes it with these choices, and once it has. */
	| (Pick<ApprovalDialog, 'id' | 'read'> & {readonly kind: 'rule'} & (
				| {readonly page: 'waiting'; readonly choices: readonly number[]}
				/** `store` waits for the same number again; a number is the place of the argument that is chosen for. */
				| {readonly page: 'choose' | 'store' | number; readonly proposal: ShownProposal}
			))
	| {readonly kind: 'question'; readonly id: string; readonly form: FieldByFieldForm}
	| {readonly kind: 'proposal'; readonly id: string; readonly page: 'choose' | 'name' | 'again'}
	/** `id` is the hash of the hold. */
	| {readonly kind: 'hold'; readonly id: string; readonly page: 'choose' | 'again'};

/** After a typed line: the next question, the calls to make, and the lines to say. */
export type ScreenReaderStep = {
	readonly dialog: ScreenReaderDialog;
	readonly calls: readonly GatewayCall[];
	readonly lines: readonly string[];
};
