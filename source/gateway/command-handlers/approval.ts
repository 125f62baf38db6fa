import {type Command} from '../../state/command.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandTargets} from './command-targets.ts';

type ApprovalCommand = Extract<
	Command,
	{type: 'answer-approval' | 'answer-question' | 'answer-proposal' | 'show-rules' | 'revoke-rule'}
>;

/** Answers of a person, and what is remembered of them. */
export async function handleApprovalCommand(command: ApprovalCommand, targets: CommandTargets): Promise<void> {
	const {console, tools, proposals, reload} = targets;
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
	}
}

function answerQuestion(command: Extract<Command, {type: 'answer-question'}>, {console, tools}: CommandTargets): void {
	const result = tools.questions.answer({...command, by: console.name});
	if (result.kind === 'unfit') {
		throw new Problem('invalid_arguments', {message: `The form has invalid fields: ${result.problem}`});
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
