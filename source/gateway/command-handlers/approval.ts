import {type Command} from '../../state/command.ts';
import {shownId} from '../../util/id-part.ts';
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
			return answerApproval(command, targets);
		case 'answer-proposal':
			if ((await proposals.answer(command.id, command.answer)) === 'installed') {
				await reload();
			}

			return;
		case 'answer-question':
			return answerQuestion(command, targets);
		case 'hold':
			await hold.hold({by: console.name, reason: command.reason});
			return;
		case 'unhold':
			await release(command.hash, targets);
			return;
	}
}

/** An answer that came too late, or was to something else, was refused before, unless another gateway was quicker: the console has shown another request. */
async function answerApproval(
	command: Extract<Command, {type: 'answer-approval'}>,
	{console, context, tools}: CommandTargets,
): Promise<void> {
	const result = await tools.requests.answerApproval({...command, by: console.name});
	if (result === 'already-settled') {
		const end = tools.requests.endOf(command.id);
		const how = end ? `was already ${end.kind}${'by' in end ? ` by ${end.by}` : ''}` : 'is not waiting any more';
		const text = `${console.name} was too late: the request ${shownId(command.id)} ${how}; nothing was done`;
		context.publish({type: 'log', level: 'warning', area: 'commands', text});
		console.show({type: 'view.refused', id: command.id, reason: text});
	}

	if (result === 'not-offered' || result === 'changed') {
		const why = result === 'changed' ? 'with other arguments' : 'for longer than it can be allowed';
		throw new Problem('bad_usage', {message: `${console.name} answered a request ${why}; nothing was allowed`});
	}
}

async function answerQuestion(
	command: Extract<Command, {type: 'answer-question'}>,
	{console, tools}: CommandTargets,
): Promise<void> {
	const result = await tools.requests.answerQuestion({...command, by: console.name});
	if (result.kind === 'already-settled') {
		const reason = `The question ${shownId(command.id)} is not waiting any more; nothing was done`;
		console.show({type: 'view.refused', id: command.id, reason});
	}

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
