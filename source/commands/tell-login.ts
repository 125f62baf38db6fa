import {problemLine, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CommandContext} from './command-context.ts';
import {connectGateway} from './connect-gateway.ts';

/** Has the running gateway look at the tokens of a server again after a login or a logout. Never fails: the files are written already. */
export async function tellLogin(
	context: CommandContext,
	server: string,
	what: 'logged-in' | 'logged-out',
): Promise<void> {
	try {
		const client = await connectGateway(context);
		if (!client) {
			return;
		}

		try {
			const {answer} = await client.call('mcp.reconnect', {server}, {signal: context.signal});
			if (answer === 'reconnecting' && what === 'logged-in') {
				context.stderr('The running gateway connects with them.\n');
			}
		} finally {
			client.close();
		}
	} catch (error) {
		const reason = safeText(problemLine(toProblem(error)));
		context.stderr(`sluice: The running gateway did not take them up: ${reason}\n`);
	}
}
