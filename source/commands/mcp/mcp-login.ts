import {type LoginAccess} from '../../gateway/access/open-login-access.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {type LoginTerminal} from './login-terminal.ts';
import {onlyWord} from '../cli/only-word.ts';
import {reportLogin} from './report-login.ts';
import {wantedFlow} from './wanted-flow.ts';
import {watchLogin} from './watch-login.ts';

/** What the commands about logins work with. */
export type LoginCommandOptions = {
	readonly openAccess: () => Promise<LoginAccess>;
	readonly terminal: LoginTerminal;
};

/** `sluice mcp login NAME [--flow device|browser]`: logs in at this terminal, through the running gateway when there is one. 1 when it failed. */
export function runMcpLogin(context: CommandContext, options: LoginCommandOptions): Promise<ExitCode> {
	return logInOnce(context, options, {usage: 'sluice mcp login NAME [--flow device|browser]', document: 'try-again'});
}

/** `sluice mcp reauth NAME`: the same for a server that was logged in to before; a client document that was refused stays refused. */
export function runMcpReauth(context: CommandContext, options: LoginCommandOptions): Promise<ExitCode> {
	return logInOnce(context, options, {usage: 'sluice mcp reauth NAME | --all', document: 'as-marked'});
}

async function logInOnce(
	context: CommandContext,
	{openAccess, terminal}: LoginCommandOptions,
	options: {readonly usage: string; readonly document: 'try-again' | 'as-marked'},
): Promise<ExitCode> {
	const server = onlyWord(context, options.usage);
	const flow = wantedFlow(context);
	const access = await openAccess();
	try {
		const {document} = options;
		const end = await watchLogin(server, {document, ...(flow && {flow})}, {context, access, terminal});
		switch (end.kind) {
			case 'failed':
				throw end.problem;
			case 'cancelled':
				context.stderr('The login was called off; earlier credentials are kept.\n');
				return 1;
			case 'succeeded':
				context.stdout(`Logged in to ${safeText(server)}.\n`);
				await reportLogin(context, server, {what: 'logged-in', heldBy: access.heldBy});
				return 0;
		}
	} finally {
		await access.close();
	}
}
