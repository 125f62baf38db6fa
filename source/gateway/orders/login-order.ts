import {type Command} from '../../state/command.ts';
import {type OrderTargets} from './order-targets.ts';

type LoginOrder = Extract<Command, {type: 'start-login' | 'cancel-login' | 'finish-login'}>;

/** Orders about logins. */
export async function loginOrder(command: LoginOrder, {tools}: OrderTargets): Promise<void> {
	const {logins} = tools;
	switch (command.type) {
		case 'start-login':
			// How it ends is an event of its own.
			await logins.start(command.server, {flow: command.flow});
			return;
		case 'cancel-login':
			logins.cancel(command.server);
			return;
		case 'finish-login':
			return logins.finish(command.server, command.redirectUrl);
	}
}
