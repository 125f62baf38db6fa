import * as z from 'zod';
import {parseJson} from '../util/json-text.ts';
import {authorizationServerSchema} from './authorization-server.ts';

const clientSchema = z.object({
	/** configured: its secret stands in the configuration, not here. */
	kind: z.enum(['configured', 'document', 'registered']),
	client_id: z.string(),
	client_secret: z.string().optional(),
	client_secret_expires_at: z.number().optional(),
	token_endpoint_auth_method: z.string().optional(),
	redirect_uris: z.array(z.string()).optional(),
	grant_types: z.array(z.string()).optional(),
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
});

/** How Sluice is known to an authorization server. */
export type KnownClient = z.output<typeof clientSchema>;

/** Tokens as OAuth names them, without their relative life time. */
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
