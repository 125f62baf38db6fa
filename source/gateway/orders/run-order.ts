import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';
import {notBuiltYet} from './not-built-yet.ts';

type RunOrder = Extract<
	Command,
	{type: 'start-run' | 'follow-up-run' | 'cancel-run' | 'answer-inbox' | 'close-inbox-item'}
>;

/** Orders about runs and the inbox. */
export async function runOrder(command: RunOrder, {events}: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'close-inbox-item':
			await events.runs.closeInboxItem(command.runId);
			return;
		case 'start-run':
		case 'follow-up-run':
		case 'cancel-run':
		case 'answer-inbox':
			throw notBuiltYet(command);
	}
}
