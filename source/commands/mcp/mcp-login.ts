import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type LoginAccess} from '../../gateway/access/login-access.ts';
import {Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {connectGateway} from '../cli/connect-gateway.ts';
import {textTable} from '../cli/listing.ts';
import {onlyWord} from '../cli/only-word.ts';
import {type LoginTerminal, watchLogin} from './watch-login.ts';

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

/**
`sluice mcp reauth --all`: every server that logs in, one after another, since each of them wants the same person. One that fails does not stop the others;
the table at the end tells how each went, and the exit code is 1 when one failed.
*/
export async function runMcpReauthAll(context: CommandContext, options: LoginCommandOptions): Promise<ExitCode> {
	if (context.arguments.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice mcp reauth NAME | --all'});
	}

	const flow = wantedFlow(context);
	const access = await options.openAccess();
	try {
		const servers = access.servers.filter(({enabled}) => enabled);
		const rows: string[][] = [];
		for (const server of servers) {
			const row = {server: server.name, flow: flow ?? server.flow};
			const result = await logIn(row, {context, access, terminal: options.terminal});
			rows.push([row.server, row.flow, result]);
		}

		if (rows.length === 0) {
			context.stderr('No server is configured with `auth: oauth`.\n');
			return 0;
		}

		context.stdout(textTable(['SERVER', 'FLOW', 'RESULT'], rows));
		return rows.every(([, , result]) => result === done) ? 0 : 1;
	} finally {
		await access.close();
	}
}

const done = 'logged in';

async function logIn(
	{server, flow}: {readonly server: string; readonly flow: 'device' | 'browser'},
	options: {
		readonly context: CommandContext;
		readonly access: LoginAccess;
		readonly terminal: LoginCommandOptions['terminal'];
	},
): Promise<string> {
	if (options.context.signal.aborted) {
		return 'called off';
	}

	try {
		const end = await watchLogin(server, {flow, document: 'as-marked'}, options);
		switch (end.kind) {
			case 'failed':
				return `${end.problem.code}: ${end.problem.message}`;
			case 'cancelled':
				return end.reason;
			case 'succeeded':
				await reportLogin(options.context, server, {what: 'logged-in', heldBy: options.access.heldBy});
				return done;
		}
	} catch (error) {
		const {code, message} = toProblem(error);
		return `${code}: ${message}`;
	}
}

/** The flow of `--flow`. Throws `bad_usage` for any other word. */
function wantedFlow({flags: {flow}}: CommandContext): LoginFlow | undefined {
	if (flow === undefined || flow === 'device' || flow === 'browser') {
		return flow;
	}

	throw new Problem('bad_usage', {message: '--flow is device or browser'});
}

const connects = 'The running gateway connects with them.\n';

/**
Has the running gateway look at the tokens of a server again after a login or a logout; one that held the login itself knows.
Never fails: the files are written already.
*/
async function reportLogin(
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
