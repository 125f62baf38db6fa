import * as z from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {authorizationServerSchema} from './authorization-server.ts';

const clientSchema = z.object({
	/** configured: its secret is in the configuration, not here. */
	kind: z.enum(['configured', 'document', 'registered']),
	client_id: z.string(),
	client_secret: z.string().optional(),
	client_secret_expires_at: z.number().optional(),
	token_endpoint_auth_method: z.string().optional(),
	redirect_uris: z.array(z.string()).optional(),
	grant_types: z.array(z.string()).optional(),
	/** The scope of its registration; empty: none was requested. Many servers issue such a client nothing more. */
	scope: z.string().optional(),
});

const tokensSchema = z.object({
	access_token: z.string().min(1),
	token_type: z.string(),
	refresh_token: z.string().optional(),
	scope: z.string().optional(),
});

const recordSchema = z.object({
	version: z.literal(1),
	/** The address the tokens are for; they are never sent to another one. */
	serverUrl: z.string(),
	/** The resource indicator of the tokens. */
	resource: z.string().optional(),
	/** The authorization server that issued them; nothing stored here is ever sent to another one. */
	authorizationServer: authorizationServerSchema,
	client: clientSchema,
	tokens: tokensSchema,
	/** Milliseconds since the epoch; absent: the server did not say. */
	expiresAt: z.number().optional(),
	/** The token is valid but insufficient: the additional scopes that the server requires, empty when it did not name them. The next login requests them too. */
	demandedScope: z.string().optional(),
});

/** The identity of Sluice at an authorization server. */
export type KnownClient = z.output<typeof clientSchema>;

/** The tokens in OAuth's names, without the relative lifetime. */
export type Tokens = z.output<typeof tokensSchema>;

/** The complete record of a login. */
export type TokenRecord = Omit<z.output<typeof recordSchema>, 'version'>;

/** The record in the text of a token file; undefined when it is unusable. */
export function parseTokenRecord(text: string): TokenRecord | undefined {
	const parsed = recordSchema.safeParse(parseJson(text));
	if (!parsed.success) {
		return undefined;
	}

	const {version: _, ...record} = parsed.data;
	return record;
}

/** The text of a token file. */
export function tokenFileText(record: TokenRecord): string {
	return `${JSON.stringify(recordSchema.parse({version: 1, ...record}), undefined, '\t')}\n`;
}

/** Undefined for tokens of another address, which are never sent to this one. */
export function fittingRecord(record: TokenRecord | undefined, url: URL): TokenRecord | undefined {
	return record?.serverUrl === url.href ? record : undefined;
}

/** The result of a flow, not yet on disk. */
export type Granted = {
	readonly client: KnownClient;
	readonly tokens: Tokens;
	/** Milliseconds since the epoch; absent: the server did not say. */
	readonly expiresAt?: number;
};

/** The answer of a token endpoint (RFC 6749, 5.1). */
export type TokenResponse = {
	readonly access_token: string;
	readonly token_type: string;
	readonly expires_in?: number | undefined;
	readonly refresh_token?: string | undefined;
	readonly scope?: string | undefined;
};

/** The stored form of a response: lifetimes become times, and omitted members retain their previous values. */
export function toGranted(
	answer: TokenResponse,
	context: {readonly client: KnownClient; readonly now: number; readonly before?: Tokens; readonly scope?: string},
): Granted {
	const {client, now, before} = context;
	const refreshToken = answer.refresh_token ?? before?.refresh_token;
	const scope = answer.scope ?? before?.scope ?? context.scope;
	return {
		client,
		tokens: {
			access_token: answer.access_token,
			token_type: answer.token_type,
			...(refreshToken !== undefined && {refresh_token: refreshToken}),
			...(scope !== undefined && {scope}),
		},
		...(answer.expires_in !== undefined && {expiresAt: now + answer.expires_in * 1000}),
	};
}
