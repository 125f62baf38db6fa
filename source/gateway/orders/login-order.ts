import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';
import {notBuiltYet} from './not-built-yet.ts';

type LoginOrder = Extract<Command, {type: 'start-login' | 'cancel-login' | 'finish-login'}>;

/** Orders about logins. */
export async function loginOrder(command: LoginOrder, _targets: OrderTargets): Promise<void> {
	switch (command.type) {
		case 'start-login':
		case 'cancel-login':
		case 'finish-login':
			throw notBuiltYet(command);
	}
}
