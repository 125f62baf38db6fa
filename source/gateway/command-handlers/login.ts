import {type Command} from '../../state/command.ts';
import {type CommandTargets} from './command-targets.ts';

type LoginCommand = Extract<Command, {type: 'start-login' | 'cancel-login' | 'finish-login'}>;

/** Orders about logins. */
export async function handleLoginCommand(command: LoginCommand, {tools}: CommandTargets): Promise<void> {
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
