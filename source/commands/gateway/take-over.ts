import {problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {type CommandContext} from '../cli/command-context.ts';

/** Has the running gateway take over what was just written, and says so. Never fails: the files are written already. */
export async function takeOver(context: CommandContext): Promise<void> {
	try {
		const client = await connectGateway(context);
		if (!client) {
			return;
		}

		try {
			await client.call('reload', {}, {signal: context.signal});
			context.stderr('The running gateway took it over.\n');
		} finally {
			client.close();
		}
	} catch (error) {
		context.stderr(`sluice: The running gateway did not take it over: ${safeText(problemLine(toProblem(error)))}\n`);
	}
}
