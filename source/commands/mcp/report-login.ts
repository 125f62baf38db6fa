import {type LoginAccess} from '../../gateway/access/open-login-access.ts';
import {problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {connectGateway} from '../cli/connect-gateway.ts';

const connects = 'The running gateway connects with them.\n';

/**
Has the running gateway look at the tokens of a server again after a login or a logout; one that held the login itself knows.
Never fails: the files are written already.
*/
export async function reportLogin(
	context: CommandContext,
	server: string,
	{what, heldBy}: {readonly what: 'logged-in' | 'logged-out'; readonly heldBy: LoginAccess['heldBy']},
): Promise<void> {
	if (heldBy === 'gateway') {
		if (what === 'logged-in') {
			context.stderr(connects);
		}

		return;
	}

	try {
		const client = await connectGateway(context);
		if (!client) {
			return;
		}

		try {
			const {answer} = await client.call('mcp.reconnect', {server}, {signal: context.signal});
			if (answer === 'reconnecting' && what === 'logged-in') {
				context.stderr(connects);
			}
		} finally {
			client.close();
		}
	} catch (error) {
		const reason = safeText(problemLine(toProblem(error)));
		context.stderr(`sluice: The running gateway did not take them up: ${reason}\n`);
	}
}
