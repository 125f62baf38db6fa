import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {type LoggedInJson, type LoginAgainJson, type LogoutJson} from '../../state/json/login.ts';
import {type ResultOf} from '../../state/api.ts';
import {ofServer, Problem, problemLine, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {type CommandApi, withApi, withClient} from '../cli/connect-gateway.ts';
import {ownApi} from '../cli/in-process.ts';
import {printResult, printRows} from '../cli/listing.ts';
import {reportDeclined} from '../cli/run-command.ts';
import {type Session} from '../cli/session.ts';
import {noWords, onlyWord} from '../cli/words.ts';
import {watchLogin} from './watch-login.ts';

/** `sluice mcp login NAME [--flow device|browser]`: logs in at this terminal, through the running gateway when there is one. 1 when it failed. */
export async function runMcpLogin(context: CommandContext, session: Session): Promise<ExitCode> {
	const server = onlyWord(context, 'sluice mcp login NAME [--flow device|browser]');
	return logInOnce(context, session, {server, document: 'try-again'});
}

/** `sluice mcp reauth NAME`: the same for a server that was logged in to before; a client document that was refused stays refused. */
export async function runMcpReauth(context: CommandContext, session: Session): Promise<ExitCode> {
	const server = onlyWord(context, 'sluice mcp reauth NAME | --all');
	return logInOnce(context, session, {server, document: 'as-marked'});
}

/**
`sluice mcp reauth --all`: every server that logs in, one after another, since each of them needs the same person. One that fails does not stop the others;
the table at the end says how each went, and the exit code is 1 when one failed.
*/
export async function runMcpReauthAll(context: CommandContext, session: Session): Promise<ExitCode> {
	noWords(context, 'sluice mcp reauth NAME | --all');
	const flow = wantedFlow(context);
	const {variables} = session.environment;
	const servers = await withApi(context, ownApi(session), api => api.call('mcp.logins', {}));
	const rows: LoginAgainJson[] = [];
	for (const server of servers.filter(({enabled}) => enabled)) {
		const wanted = {server: server.name, flow: flow ?? server.flow};
		// A client each: a login that is cancelled ends its connection to the gateway.
		const end = await withApi(context, ownApi(session), api => logInAndGoOn(context, api, {...wanted, variables}));
		rows.push({...wanted, ...end});
	}

	await printRows(context, rows, {
		titles: ['SERVER', 'FLOW', 'RESULT'],
		cells: ({server, flow: used, reason}) => [server, used, reason ?? 'logged in'],
		none: 'No server is configured with `auth: oauth`.',
	});
	return rows.every(({outcome}) => outcome === 'succeeded') ? 0 : 1;
}

/** `sluice mcp logout NAME`: removes the tokens and the registration of a server from this machine, and revokes the tokens where they were issued. */
export async function runMcpLogout(context: CommandContext, session: Session): Promise<ExitCode> {
	const server = onlyWord(context, 'sluice mcp logout NAME');
	return withApi<ExitCode>(context, ownApi(session), async api => {
		const {revocation} = await api.call('mcp.logout', {server});
		const shown = safeText(server);
		printResult(
			context,
			{server, revocation} satisfies LogoutJson,
			revocation.kind === 'no-tokens' ? `There was no login to ${shown}.\n` : `Logged out of ${shown}.\n`,
		);
		context.stderr(revocationText(revocation));
		await reportLogin(context, server, {what: 'logged-out', heldBy: api.of});
		return 0;
	});
}

/** The result of revoking tokens at the server that issued them; empty if there were none. */
export function revocationText(revocation: ResultOf<'mcp.logout'>['revocation']): string {
	switch (revocation.kind) {
		case 'no-tokens':
			return '';
		case 'not-possible':
			return 'The server that issued the tokens cannot revoke them: there they stay valid until they expire.\n';
		case 'revoked':
			return `The tokens were revoked at ${safeText(revocation.issuer)}.\n`;
		case 'failed':
			return `sluice: The tokens are removed here, but were not revoked at ${safeText(revocation.issuer)}: ${safeText(revocation.why)}\n`;
	}
}

async function logInOnce(
	context: CommandContext,
	session: Session,
	{server, document}: {readonly server: string; readonly document: 'try-again' | 'as-marked'},
): Promise<ExitCode> {
	const flow = wantedFlow(context);
	const {variables} = session.environment;
	const logIn = async (api: CommandApi): Promise<ExitCode> => {
		const login = {server, document, variables, ...(flow && {flow})};
		const {outcome} = await watchLogin(messagesOf(context), api, login).catch((error: unknown) => {
			throw ofServer(toProblem(error), server);
		});
		if (outcome !== 'succeeded') {
			return reportDeclined(context, 'The login was cancelled; existing credentials are kept.');
		}

		printResult(context, {server, outcome} satisfies LoggedInJson, `Logged in to ${safeText(server)}.\n`);
		await reportLogin(context, server, {what: 'logged-in', heldBy: api.of});
		return 0;
	};

	const first = await withApi(context, ownApi(session), async api => {
		const hasLogin = (await api.call('mcp.logins', {})).some(({name}) => name === server);
		return hasLogin ? logIn(api) : undefined;
	});
	if (first !== undefined) {
		return first;
	}

	const {switchToOauth} = await import('./switch-to-oauth.ts');
	await switchToOauth(context, session, {typed: server, flow});
	// The logins of this process are those of the configuration that it reads when it opens them.
	return withApi(context, ownApi(session), logIn);
}

/** With `--json` stdout has the document alone, and the steps of a login are messages. */
function messagesOf(context: CommandContext): CommandContext {
	return context.flags.json ? {...context, stdout: context.stderr} : context;
}

/** Logs in to one of several servers. Never rejects: answers how it ended. */
async function logInAndGoOn(
	context: CommandContext,
	api: CommandApi,
	login: {
		readonly server: string;
		readonly flow: LoginFlow;
		readonly variables: Readonly<Record<string, string>>;
	},
): Promise<Pick<LoginAgainJson, 'outcome' | 'reason'>> {
	if (context.signal.aborted) {
		return {outcome: 'cancelled', reason: 'cancelled'};
	}

	try {
		const end = await watchLogin(messagesOf(context), api, {...login, document: 'as-marked'});
		if (end.outcome !== 'succeeded') {
			return end;
		}

		await reportLogin(context, login.server, {what: 'logged-in', heldBy: api.of});
		return {outcome: end.outcome, reason: null};
	} catch (error) {
		const {code, message} = toProblem(error);
		return {outcome: 'failed', reason: `${code}: ${message}`};
	}
}

/** The flow of `--flow`. Throws `bad_usage` for any other word. */
function wantedFlow({flags: {flow}}: CommandContext): LoginFlow | undefined {
	if (flow === undefined || flow === 'device' || flow === 'browser') {
		return flow;
	}

	throw new Problem('bad_usage', {message: '--flow must be device or browser'});
}

const connects = 'The running gateway reconnects with the new credentials.\n';

/**
Has the running gateway look at the tokens of a server again after a login or a logout; one that held the login itself knows.
Never fails: the files are written already.
*/
async function reportLogin(
	context: CommandContext,
	server: string,
	{what, heldBy}: {readonly what: 'logged-in' | 'logged-out'; readonly heldBy: CommandApi['of']},
): Promise<void> {
	if (heldBy === 'gateway') {
		if (what === 'logged-in') {
			context.stderr(connects);
		}

		return;
	}

	try {
		await withClient(context, async client => {
			const {answer} = (await client?.call('mcp.reconnect', {server}, {signal: context.signal})) ?? {};
			if (answer === 'reconnecting' && what === 'logged-in') {
				context.stderr(connects);
			}
		});
	} catch (error) {
		const reason = safeText(problemLine(toProblem(error)));
		context.stderr(`sluice: The running gateway did not reconnect: ${reason}\n`);
	}
}
