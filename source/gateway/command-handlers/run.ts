import {type Command} from '../../state/command.ts';
import {type CommandTargets} from './command-targets.ts';

type RunCommand = Extract<
	Command,
	{type: 'start-run' | 'follow-up-run' | 'cancel-run' | 'answer-inbox' | 'close-inbox-item'}
>;

/** Orders about runs and the inbox. */
export async function handleRunCommand(command: RunCommand, {context, events}: CommandTargets): Promise<void> {
	const {controller: approvals, inbox} = events.runs;
	switch (command.type) {
		case 'close-inbox-item':
			return inbox.close(command.runId);
		case 'answer-inbox':
			return inbox.answer(command.runId, command.text);
		case 'start-run':
			return approvals.start(command.prompt, context.paths.profile);
		case 'follow-up-run':
			return approvals.followUp(command.runId, command.prompt);
		case 'cancel-run':
			return approvals.cancel(command.runId);
	}
}
