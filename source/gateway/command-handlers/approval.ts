import {type Command} from '../../state/command.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandTargets} from './command-targets.ts';

type ApprovalCommand = Extract<
	Command,
	{type: 'answer-approval' | 'answer-question' | 'answer-proposal' | 'show-rules' | 'revoke-rule' | 'hold' | 'unhold'}
>;

/** Answers of a person, what is remembered of them, and the hold. */
export async function handleApprovalCommand(command: ApprovalCommand, targets: CommandTargets): Promise<void> {
	const {console, tools, proposals, reload, hold} = targets;
	switch (command.type) {
		case 'answer-approval':
			tools.approvals.answer({...command, by: console.name});
			return;
		case 'answer-proposal':
			if ((await proposals.answer(command.id, command.answer)) === 'installed') {
				await reload();
			}

			return;
		case 'answer-question':
			answerQuestion(command, targets);
			return;
		case 'revoke-rule':
			await revokeRule(command.id, tools);
			console.show(ruleList(tools));
			return;
		case 'show-rules':
			console.show(ruleList(tools));
			return;
		case 'hold':
			await hold.hold({by: console.name, reason: command.reason});
			return;
		case 'unhold':
			await release(command.hash, targets);
			return;
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
		throw new Problem('held', {message: 'Nothing was released: it is held anew, or somebody else releases it now'});
	}
}

async function revokeRule(id: string, {rules}: Pick<CommandTargets['tools'], 'rules'>): Promise<void> {
	if ((await rules.revoke(id)) === 'failed') {
		const message = 'Revoked for now, but the rule file could not be written; it will apply again after a restart';
		throw new Problem('config_unreadable', {message});
	}
}

function ruleList({rules}: Pick<CommandTargets['tools'], 'rules'>): GatewayEventBody {
	const rows = rules.list().map(({id, server, tool, scope, state, rememberedAt}) => ({
		id,
		server: safeText(server),
		tool: safeText(tool, {maximumCharacters: 200}),
		scope,
		state,
		createdAt: rememberedAt,
	}));
	return {type: 'view.rules', rules: rows};
}
