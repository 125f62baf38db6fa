import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {type LoginCommandOptions} from './mcp-login.ts';
import {onlyWord} from '../cli/only-word.ts';
import {reportLogin} from './report-login.ts';

/** `sluice mcp logout NAME`: removes the tokens and the registration of a server from this machine. */
export async function runMcpLogout(context: CommandContext, {openAccess}: LoginCommandOptions): Promise<ExitCode> {
	const server = onlyWord(context, 'sluice mcp logout NAME');
	const access = await openAccess();
	try {
		const had = await access.forget(server);
		context.stdout(had ? `Logged out of ${safeText(server)}.\n` : `Nobody was logged in to ${safeText(server)}.\n`);
		await reportLogin(context, server, {what: 'logged-out', heldBy: access.heldBy});
		return 0;
	} finally {
		await access.close();
	}
}
