import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';
import {notBuiltYet} from './not-built-yet.ts';

type CallOrder = Extract<
	Command,
	{type: 'show-tools' | 'call-tool' | 'cancel-call' | 'resolve-uncertain' | 'repeat-uncertain'}
>;

/** Orders about tools and calls. */
export async function callOrder(command: CallOrder, _targets: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'show-tools':
		case 'call-tool':
		case 'cancel-call':
		case 'resolve-uncertain':
		case 'repeat-uncertain':
			throw notBuiltYet(command);
	}
}
