import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';

type RunOrder = Extract<
	Command,
	{type: 'start-run' | 'follow-up-run' | 'cancel-run' | 'answer-inbox' | 'close-inbox-item'}
>;

/** Orders about runs and the inbox. */
export async function runOrder(command: RunOrder, {foundation, events}: OrderTargets): Promise<void> {
	const {desk, inbox} = events.runs;
	switch (command.type) {
		case 'close-inbox-item':
			return inbox.close(command.runId);
		case 'answer-inbox':
			return inbox.answer(command.runId, command.text);
		case 'start-run':
			return desk.start(command.prompt, foundation.paths.profile);
		case 'follow-up-run':
			return desk.followUp(command.runId, command.prompt);
		case 'cancel-run':
			return desk.cancel(command.runId);
	}
}
