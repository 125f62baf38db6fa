import {type KnownClient, type Tokens} from './token-record.ts';

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

/** Brings an answer into what is kept: life times become times, and what the answer leaves out stays as it was. */
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
