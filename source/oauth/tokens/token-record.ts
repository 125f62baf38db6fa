import * as z from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {authorizationServerSchema} from '../discovery/authorization-server.ts';

const clientSchema = z.object({
	/** configured: its secret is in the configuration, not here. */
	kind: z.enum(['configured', 'document', 'registered']),
	client_id: z.string(),
	client_secret: z.string().optional(),
	client_secret_expires_at: z.number().optional(),
	token_endpoint_auth_method: z.string().optional(),
	redirect_uris: z.array(z.string()).optional(),
	grant_types: z.array(z.string()).optional(),
	/** What its registration asked for; empty: nothing. Many servers give such a client nothing else. */
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
	/** The address the tokens are for: they are never sent to another one. */
	serverUrl: z.string(),
	/** The resource indicator of the tokens. */
	resource: z.string().optional(),
	/** The authorization server that gave them: nothing stored here is ever sent to another one. */
	authorizationServer: authorizationServerSchema,
	client: clientSchema,
	tokens: tokensSchema,
	/** Milliseconds since the epoch; absent: the server did not say. */
	expiresAt: z.number().optional(),
	/** The token is good but not enough: the scopes that the server asked for beside, empty when it did not name them. The next login asks for them too. */
	demandedScope: z.string().optional(),
});

/** How Sluice is known to an authorization server. */
export type KnownClient = z.output<typeof clientSchema>;

/** Tokens as OAuth names them, without their relative lifetime. */
export type Tokens = z.output<typeof tokensSchema>;

/** All that a login left behind. */
export type TokenRecord = Omit<z.output<typeof recordSchema>, 'version'>;

/** The record in the text of a token file; undefined when there is none that can be used. */
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

/** Tokens for another address are not shown to this one. */
export function fittingRecord(record: TokenRecord | undefined, url: URL): TokenRecord | undefined {
	return record?.serverUrl === url.href ? record : undefined;
}

/** What a flow ends with. Nothing of it is on disk yet. */
export type Granted = {
	readonly client: KnownClient;
	readonly tokens: Tokens;
	/** Milliseconds since the epoch; absent: the server did not say. */
	readonly expiresAt?: number;
};

/** The answer of a token endpoint (RFC 6749, 5.1). */
export type TokenAnswer = {
	readonly access_token: string;
	readonly token_type: string;
	readonly expires_in?: number | undefined;
	readonly refresh_token?: string | undefined;
	readonly scope?: string | undefined;
};

/** The answer as it is stored: lifetimes become times, and what the answer leaves out stays as it was. */
export function toGranted(
	answer: TokenAnswer,
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
