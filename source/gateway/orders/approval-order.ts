import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';
import {notBuiltYet} from './not-built-yet.ts';

type ApprovalOrder = Extract<
	Command,
	{type: 'answer-approval' | 'answer-question' | 'answer-proposal' | 'show-rules' | 'revoke-rule'}
>;

/** Answers of a person, and what is remembered of them. */
export async function approvalOrder(command: ApprovalOrder, {tools, proposals, reload}: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'answer-approval':
			tools.desk.answer({...command, by: 'dashboard'});
			return;
		case 'answer-proposal':
			if ((await proposals.answer(command.id, command.answer)) === 'installed') {
				await reload();
			}

			return;
		case 'answer-question':
		case 'show-rules':
		case 'revoke-rule':
			throw notBuiltYet(command);
	}
}
