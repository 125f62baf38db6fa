import {safeText} from '../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type LoginPlace} from './mcp-login.ts';
import {onlyWord} from './only-word.ts';
import {tellLogin} from './tell-login.ts';

/** `sluice mcp logout NAME`: removes the tokens and the registration of a server from this machine. */
export async function runMcpLogout(context: CommandContext, {openAccess}: LoginPlace): Promise<ExitCode> {
	const server = onlyWord(context, 'sluice mcp logout NAME');
	const access = await openAccess();
	try {
		const had = await access.forget(server);
		context.stdout(had ? `Logged out of ${safeText(server)}.\n` : `Nobody was logged in to ${safeText(server)}.\n`);
		await tellLogin(context, server, 'logged-out');
		return 0;
	} finally {
		await access.close();
	}
}
