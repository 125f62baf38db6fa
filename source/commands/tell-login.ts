import {problemLine, toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CommandContext} from './command-context.ts';
import {connectGateway} from './connect-gateway.ts';

/** Has the running gateway look at the tokens of a server again. Never fails: the tokens are written already. */
export async function tellLogin(context: CommandContext, server: string): Promise<void> {
	try {
		const client = await connectGateway(context);
		if (!client) {
			return;
		}

		try {
			const {answer} = await client.call('mcp.reconnect', {server}, {signal: context.signal});
			if (answer === 'reconnecting') {
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
