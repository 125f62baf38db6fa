import {type ReadWhole} from '../../state/command.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {approvalLines, approvalPrompt, approvalStep} from './numbered-approval.ts';
import {proposalLines, proposalPrompt, proposalStep} from './numbered-proposal.ts';
import {openNumberedForm, questionLines, questionPrompt, questionStep} from './numbered-question.ts';
import {type NumberedDialog, type NumberedStep} from './numbered-step.ts';

/** What waits for a person. */
export type Waiting = Pick<Snapshot, 'approvals' | 'questions' | 'proposals'>;

/** What is asked first: what waits longest, of whatever kind. */
export function nextDialog(waiting: Waiting): NumberedDialog | undefined {
	const dialogs: ReadonlyArray<{readonly at: number; readonly dialog: NumberedDialog}> = [
		...waiting.approvals.map(({id, requestedAt}) => ({
			at: requestedAt,
			dialog: {kind: 'approval', id, page: 'choose', read: 'card'} as const,
		})),
		...waiting.questions.map(request => ({
			at: request.requestedAt,
			dialog: {kind: 'question', id: request.id, form: openNumberedForm(request)} as const,
		})),
		...waiting.proposals.map(({id, requestedAt}) => ({
			at: requestedAt,
			dialog: {kind: 'proposal', id, page: 'choose'} as const,
		})),
	];
	return dialogs.toSorted((first, second) => first.at - second.at)[0]?.dialog;
}

/** Whether what is asked still waits. */
export function isWaiting({kind, id}: NumberedDialog, waiting: Waiting): boolean {
	const rows: ReadonlyArray<{readonly id: string}> = {
		approval: waiting.approvals,
		question: waiting.questions,
		proposal: waiting.proposals,
	}[kind];
	return rows.some(row => row.id === id);
}

/** What is asked, in lines to be read out; the last ones are the numbered answers. */
export function dialogLines(dialog: NumberedDialog, waiting: Waiting): readonly string[] {
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			return request ? approvalLines(dialog, request) : [];
		}

		case 'question': {
			const request = waiting.questions.find(({id}) => id === dialog.id);
			return request ? questionLines(request) : [];
		}

		case 'proposal': {
			const request = waiting.proposals.find(({id}) => id === dialog.id);
			return request ? proposalLines(request) : [];
		}
	}
}

/** What is asked, in few lines, for a listener who heard other lines since. */
export function dialogPrompt(dialog: NumberedDialog, waiting: Waiting): readonly string[] {
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			return request ? approvalPrompt(dialog, request) : [];
		}

		case 'question': {
			const request = waiting.questions.find(({id}) => id === dialog.id);
			return request ? questionPrompt(dialog, request) : [];
		}

		case 'proposal': {
			const request = waiting.proposals.find(({id}) => id === dialog.id);
			return request ? proposalPrompt(dialog, request) : [];
		}
	}
}

/** What a typed line does. Nothing but a number that was offered decides. */
export function dialogStep(
	dialog: NumberedDialog,
	typed: string,
	waiting: Waiting & {readonly readWhole?: ReadWhole | undefined},
): NumberedStep {
	const text = typed.trim();
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			const {readWhole} = waiting;
			return request ? approvalStep(dialog, text, {request, readWhole}) : nothing(dialog);
		}

		case 'question': {
			const request = waiting.questions.find(({id}) => id === dialog.id);
			return request ? questionStep(dialog, text, request) : nothing(dialog);
		}

		case 'proposal': {
			const request = waiting.proposals.find(({id}) => id === dialog.id);
			return request ? proposalStep(dialog, text, request) : nothing(dialog);
		}
	}
}

function nothing(dialog: NumberedDialog): NumberedStep {
	return {dialog, commands: [], lines: []};
}
