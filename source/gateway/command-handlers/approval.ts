import {type Command} from '../../state/command.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandTargets} from './command-targets.ts';

type ApprovalCommand = Extract<
	Command,
	{type: 'answer-approval' | 'answer-question' | 'answer-proposal' | 'hold' | 'unhold'}
>;

/** Answers of a person, and the hold. */
export async function handleApprovalCommand(command: ApprovalCommand, targets: CommandTargets): Promise<void> {
	const {console, proposals, reload, hold} = targets;
	switch (command.type) {
		case 'answer-approval':
			answerApproval(command, targets);
			return;
		case 'answer-proposal':
			if ((await proposals.answer(command.id, command.answer)) === 'installed') {
				await reload();
			}

			return;
		case 'answer-question':
			answerQuestion(command, targets);
			return;
		case 'hold':
			await hold.hold({by: console.name, reason: command.reason});
			return;
		case 'unhold':
			await release(command.hash, targets);
			return;
	}
}

/** An answer that came too late, or was to something else, was refused before: the console has shown another request. */
function answerApproval(command: Extract<Command, {type: 'answer-approval'}>, {console, tools}: CommandTargets): void {
	const result = tools.approvals.answer({...command, by: console.name});
	if (result === 'not-offered' || result === 'changed') {
		const why = result === 'changed' ? 'with other arguments' : 'for longer than it can be allowed';
		throw new Problem('bad_usage', {message: `${console.name} answered a request ${why}; nothing was allowed`});
	}
}

function answerQuestion(command: Extract<Command, {type: 'answer-question'}>, {console, tools}: CommandTargets): void {
	const result = tools.questions.answer({...command, by: console.name});
	if (result.kind === 'unfit') {
		throw new Problem('invalid_arguments', {message: `The form has invalid fields: ${result.problem}`});
	}
}

/** A release that another one has overtaken is shown as it came out. */
async function release(hash: string, {console, hold}: CommandTargets): Promise<void> {
	if ((await hold.release({by: console.name, hash})) === 'changed') {
		throw new Problem('held', {message: 'Nothing was released: it is held again, or somebody else releases it now'});
	}
}
