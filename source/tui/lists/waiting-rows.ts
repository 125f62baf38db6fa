import {type Snapshot} from '../../state/snapshot.ts';
import {approvalListRow, decisionListRow} from './approval-rows.ts';
import {type ListRow} from './list-row.ts';
import {proposalListRow, questionListRow} from './question-rows.ts';
import {uncertainListRow} from './uncertain-rows.ts';

/** The rows of the approvals view: what waits for a person, then what was decided, newest first. */
export function waitingRows(
	snapshot: Pick<Snapshot, 'approvals' | 'questions' | 'proposals' | 'uncertain' | 'decisions'>,
): readonly ListRow[] {
	return [
		...snapshot.approvals.map(approvalListRow),
		...snapshot.questions.map(questionListRow),
		...snapshot.proposals.map(proposalListRow),
		...snapshot.uncertain.map(uncertainListRow),
		...snapshot.decisions.map(decisionListRow).reverse(),
	];
}
