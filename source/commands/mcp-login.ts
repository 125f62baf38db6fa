import {type LoginAccess} from '../gateway/open-login-access.ts';
import {safeText} from '../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type LoginTerminal} from './login-terminal.ts';
import {onlyWord} from './only-word.ts';
import {tellLogin} from './tell-login.ts';
import {wantedFlow} from './wanted-flow.ts';
import {watchLogin} from './watch-login.ts';

/** What the commands about logins work with. */
export type LoginPlace = {
	readonly openAccess: () => Promise<LoginAccess>;
	readonly terminal: LoginTerminal;
};

/** `sluice mcp login NAME [--flow device|browser]`: logs in at this terminal, and tells a running gateway. 1 when it failed. */
export function runMcpLogin(context: CommandContext, place: LoginPlace): Promise<ExitCode> {
	return logInOnce(context, place, {usage: 'sluice mcp login NAME [--flow device|browser]', document: 'try-again'});
}

/** `sluice mcp reauth NAME`: the same for a server that was logged in to before; a client document that was refused stays refused. */
export function runMcpReauth(context: CommandContext, place: LoginPlace): Promise<ExitCode> {
	return logInOnce(context, place, {usage: 'sluice mcp reauth NAME | --all', document: 'as-marked'});
}

async function logInOnce(
	context: CommandContext,
	{openAccess, terminal}: LoginPlace,
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
				await tellLogin(context, server, 'logged-in');
				return 0;
		}
	} finally {
		await access.close();
	}
}
