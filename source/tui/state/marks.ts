import {type Command, seenVersion} from '../../state/command.ts';
import {type ApprovalRow, type ProposalRow, type QuestionRow, type Snapshot} from '../../state/snapshot.ts';
import {proposalId, questionId} from '../../state/entities/question.ts';
import {type UiState} from './ui-state.ts';

/** Bound on marked requests: below the commands that a gateway takes in a second. */
export const maxMarks = 100;

/** A waiting request, and the command that denies it. */
type Denial = {readonly request: ApprovalRow | QuestionRow | ProposalRow; readonly command: Command};

/** The denial of the request in this row, declined where it is a question; undefined for a row of anything else. */
function denialOf(rowId: string, {approvals, questions, proposals}: Snapshot, message: string): Denial | undefined {
	const card = approvals.find(({id}) => id === rowId);
	if (card) {
		const {id, argumentsHash, profile} = card;
		const verdict = message === '' ? ({kind: 'deny'} as const) : ({kind: 'deny', message} as const);
		return {request: card, command: {type: 'answer-approval', id, argumentsHash, verdict, profile}};
	}

	const question = questions.find(row => questionId(row) === rowId);
	if (question) {
		const {id, profile} = question;
		return {request: question, command: {type: 'answer-question', id, answer: {kind: 'decline'}, profile}};
	}

	const proposal = proposals.find(row => proposalId(row) === rowId);
	return (
		proposal && {
			request: proposal,
			command: {type: 'answer-proposal', id: proposal.id, answer: {kind: 'cancel'}, profile: proposal.profile},
		}
	);
}

const digests = new WeakMap<Denial['request'], string>();

/** The digest of the request in this row as it is now (`requestVersion`); undefined for a row of anything else. */
export function requestDigest(rowId: string, snapshot: Snapshot): string | undefined {
	const denial = denialOf(rowId, snapshot, '');
	if (!denial) {
		return undefined;
	}

	const digest = digests.get(denial.request) ?? seenVersion(denial.command, snapshot) ?? '';
	digests.set(denial.request, digest);
	return digest;
}

/** True if a row is marked. A mark is for the version shown when it was set, and does not hold for a request that has changed. */
export function isMarked(rowId: string, {marks}: Pick<UiState, 'marks'>, snapshot: Snapshot): boolean {
	const digest = marks.get(rowId);
	return digest !== undefined && digest === requestDigest(rowId, snapshot);
}

/** The rows that are marked and still wait, as they were shown. */
export function markedRows(ui: Pick<UiState, 'marks'>, snapshot: Snapshot): readonly string[] {
	return [...ui.marks.keys()].filter(id => isMarked(id, ui, snapshot));
}

/** The commands that deny what these marks are for, each with what was shown when it was marked; none for a request that has changed or ended. */
export function denials(marks: UiState['marks'], snapshot: Snapshot, message: string): readonly Command[] {
	return markedRows({marks}, snapshot).flatMap(id => {
		const denial = denialOf(id, snapshot, message);
		return denial ? [{...denial.command, seen: marks.get(id)}] : [];
	});
}
