import {openTokenStore, serversWithTokens, type TokenStore} from '../../oauth/tokens/token-store.ts';
import {fittingRecord, type TokenRecord} from '../../oauth/protocol/token-record.ts';
import {scopeNames} from '../../oauth/discovery/choose-scope.ts';
import {loginTable} from '../../state/entities/login.ts';
import {type LoginJson} from '../../state/json/login.ts';
import {type Clock} from '../../util/clock.ts';
import {shellWord} from '../../util/named-commands.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printRows} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {type ConfigSession, loadConfigSession} from '../mcp/config-session.ts';

/** `sluice logins list [--json]`: every server with `auth: oauth`, the login that is stored for it, and the tokens that no server uses any more. Nothing is connected to. */
export async function runLoginsList(context: CommandContext, session: Session): Promise<ExitCode> {
	noWords(context, 'sluice logins list [--json]');
	const config = await loadConfigSession(session);
	const store = openTokenStore({directory: session.paths.tokens, clock: context.clock, learn: () => undefined});
	const configured = await Promise.all(
		config.config.servers
			.filter(({transport}) => transport.kind !== 'stdio' && transport.oauth)
			.map(async ({name}) => loginRow(name, {config, record: await store.read(name), clock: context.clock})),
	);
	const rows = [...configured, ...(await unusedRows(config, {store, directory: session.paths.tokens}))];
	await printRows(context, rows, {
		...loginTable,
		below: ({server, state}) =>
			state === 'unused'
				? [
						`  no server with \`auth: oauth\` uses these tokens; \`sluice mcp logout ${shellWord(safeText(server))}\` revokes and removes them`,
					]
				: [],
		none: 'No server is configured with `auth: oauth`.',
	});
	return 0;
}

/** Tokens of servers that lost `auth: oauth` or are no longer in the file; an entry that cannot be used may still have it. */
async function unusedRows(
	{config: {servers, brokenServers}}: ConfigSession,
	{store, directory}: {readonly store: TokenStore; readonly directory: string},
): Promise<readonly LoginJson[]> {
	const using = new Set([
		...servers.filter(({transport}) => transport.kind !== 'stdio' && transport.oauth).map(({name}) => name),
		...brokenServers.map(({name}) => name),
	]);
	// A long name cannot be read from its file.
	const known = new Set([...servers.map(({name}) => name), ...(await serversWithTokens(directory))]);
	const rows = await Promise.all(
		[...known]
			.filter(server => !using.has(server))
			.map(async server => {
				const record = await store.read(server);
				return record && {...storedRow(server, record), state: 'unused' as const, flow: null};
			}),
	);
	return rows.filter(row => row !== undefined);
}

function loginRow(
	server: string,
	{
		config,
		record,
		clock,
	}: {readonly config: ConfigSession; readonly record: TokenRecord | undefined; readonly clock: Clock},
): LoginJson {
	const target = config.loginTarget(server);
	const flow = target?.oauth.flow ?? 'browser';
	const fitting = target && fittingRecord(record, target.url);
	if (!fitting) {
		return {server, state: 'not-logged-in', flow, issuer: null, scopes: [], expires_at: null, renews: false};
	}

	return {...storedRow(server, fitting), state: stateOf(fitting, clock.now()), flow};
}

function storedRow(
	server: string,
	{tokens, expiresAt, authorizationServer}: TokenRecord,
): Omit<LoginJson, 'state' | 'flow'> {
	return {
		server,
		issuer: authorizationServer.issuer,
		scopes: [...scopeNames(tokens.scope)],
		expires_at: expiresAt ?? null,
		renews: tokens.refresh_token !== undefined,
	};
}

function stateOf({demandedScope, expiresAt, tokens}: TokenRecord, now: number): LoginJson['state'] {
	if (demandedScope !== undefined) {
		return 'wider-login-required';
	}

	return expiresAt !== undefined && expiresAt <= now && tokens.refresh_token === undefined ? 'expired' : 'logged-in';
}
