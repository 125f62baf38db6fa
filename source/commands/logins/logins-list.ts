import {openTokenStore} from '../../oauth/tokens/token-store.ts';
import {fittingRecord, type TokenRecord} from '../../oauth/tokens/token-record.ts';
import {scopeNames} from '../../oauth/discovery/choose-scope.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {type Clock} from '../../util/clock.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printRows} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {type ConfigSession, loadConfigSession} from '../mcp/config-session.ts';

/** One login in `sluice logins list --json` (docs/logins.md, Look at logins). Times are milliseconds since the epoch. */
export type LoginJson = {
	readonly server: string;
	/** wider-login-required: the server asked for a scope that the login lacks. */
	readonly state: 'logged-in' | 'expired' | 'wider-login-required' | 'not-logged-in';
	readonly flow: 'browser' | 'device';
	readonly issuer: string | null;
	readonly scopes: readonly string[];
	/** Null: the authorization server did not say, or nobody is logged in. */
	readonly expires_at: number | null;
	/** Whether Sluice renews the access token without a person. */
	readonly renews: boolean;
};

/** `sluice logins list [--json]`: every server with `auth: oauth`, and the login that is stored for it. Nothing is connected to. */
export async function runLoginsList(context: CommandContext, session: Session): Promise<ExitCode> {
	noWords(context, 'sluice logins list [--json]');
	const config = await loadConfigSession(session);
	const store = openTokenStore({directory: session.paths.tokens, clock: context.clock, learn: () => undefined});
	const rows = await Promise.all(
		config.config.servers
			.filter(({transport}) => transport.kind !== 'stdio' && transport.oauth)
			.map(async ({name}) => loginRow(name, {config, record: await store.read(name), clock: context.clock})),
	);
	await printRows(context, rows, {
		titles: ['SERVER', 'STATE', 'ISSUER', 'SCOPES', 'EXPIRES'],
		cells: row => [row.server, row.state, row.issuer ?? '', row.scopes.join(' '), expiryText(row)],
		none: 'No server is configured with `auth: oauth`.',
	});
	return 0;
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

	const {tokens, expiresAt, authorizationServer} = fitting;
	return {
		server,
		state: stateOf(fitting, clock.now()),
		flow,
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

function expiryText({state, expires_at: expiresAt, renews}: LoginJson): string {
	if (state === 'not-logged-in') {
		return '';
	}

	const time = expiresAt === null ? 'unknown' : dateAndTime(expiresAt);
	return renews ? `${time}, renewed by itself` : time;
}
