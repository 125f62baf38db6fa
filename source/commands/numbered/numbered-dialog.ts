import {type Snapshot} from '../../state/snapshot.ts';
import {approvalLines, approvalStep} from './numbered-approval.ts';
import {proposalLines, proposalStep} from './numbered-proposal.ts';
import {openNumberedForm, questionLines, questionStep} from './numbered-question.ts';
import {type NumberedDialog, type NumberedStep} from './numbered-step.ts';

/** What waits for a person. */
export type Waiting = Pick<Snapshot, 'approvals' | 'questions' | 'proposals'>;

/** What is asked first: what waits longest, of whatever kind. */
export function nextDialog(waiting: Waiting): NumberedDialog | undefined {
	const dialogs: ReadonlyArray<{readonly at: number; readonly dialog: NumberedDialog}> = [
		...waiting.approvals.map(({id, requestedAt}) => ({
			at: requestedAt,
			dialog: {kind: 'approval', id, page: 'choose'} as const,
		})),
		...waiting.questions.map(card => ({
			at: card.requestedAt,
			dialog: {kind: 'question', id: card.id, form: openNumberedForm(card)} as const,
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
			const card = waiting.approvals.find(({id}) => id === dialog.id);
			return card ? approvalLines(card) : [];
		}

		case 'question': {
			const card = waiting.questions.find(({id}) => id === dialog.id);
			return card ? questionLines(card) : [];
		}

		case 'proposal': {
			const card = waiting.proposals.find(({id}) => id === dialog.id);
			return card ? proposalLines(card) : [];
		}
	}
}

/** What a typed line does. Nothing but a number that was offered decides. */
export function dialogStep(dialog: NumberedDialog, typed: string, waiting: Waiting): NumberedStep {
	const text = typed.trim();
	switch (dialog.kind) {
		case 'approval': {
			const card = waiting.approvals.find(({id}) => id === dialog.id);
			return card ? approvalStep(dialog, text, card) : nothing(dialog);
		}

		case 'question': {
			const card = waiting.questions.find(({id}) => id === dialog.id);
			return card ? questionStep(dialog, text, card) : nothing(dialog);
		}

		case 'proposal': {
			const card = waiting.proposals.find(({id}) => id === dialog.id);
			return card ? proposalStep(dialog, text, card) : nothing(dialog);
		}
	}
}

function nothing(dialog: NumberedDialog): NumberedStep {
	return {dialog, commands: [], lines: []};
}
