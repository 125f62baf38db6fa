import {type ApprovalEvent} from './approval-event.ts';
import {type LoginState} from './login-event.ts';
import {type ProposalEvent} from './proposal-event.ts';
import {type QuestionEvent} from './question-event.ts';

/** What a person at the gate is asked, and what became of it. */
export type PersonEvent = ApprovalEvent | LoginState | ProposalEvent | QuestionEvent;
