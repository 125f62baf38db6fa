import {type ApprovalEvent} from './approval-event.ts';
import {type LoginState} from './login-event.ts';
import {type ProposalEvent} from './proposal-event.ts';
import {type QuestionEvent} from './question-event.ts';

/** What a person at the approval check is asked, and what became of it. */
export type PersonEvent = ApprovalEvent | LoginState | ProposalEvent | QuestionEvent;

const personTypes = new Set<string>([
	'approval.requested',
	'approval.settled',
	'login.state',
	'proposal.asked',
	'proposal.settled',
	'question.asked',
	'question.settled',
] satisfies ReadonlyArray<PersonEvent['type']>);

/** Whether an event is about what a person is asked. */
export function isPersonEvent<Event extends {readonly type: string}>(
	event: Event,
): event is Extract<Event, PersonEvent> {
	return personTypes.has(event.type);
}
