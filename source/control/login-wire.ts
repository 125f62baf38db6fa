import {z} from 'zod';
import {type LoginState} from '../state/person-event.ts';
import {safeText} from '../util/safe-text.ts';

const flow = z.enum(['device', 'browser']);

/** A server that logs in. */
export const loginServerJson = z.object({name: z.string(), flow, enabled: z.boolean()});

/** How a login ended; one that failed is answered with its problem. */
export const loginEndJson = z.discriminatedUnion('outcome', [
	z.object({outcome: z.literal('succeeded')}),
	z.object({outcome: z.literal('cancelled'), reason: z.string()}),
]);

const reportSchema = z.discriminatedUnion('type', [
	z.object({type: z.literal('log'), text: z.string()}),
	z.object({
		type: z.literal('login.state'),
		server: z.string(),
		state: z.enum([
			'discovering',
			'registering',
			'awaiting-redirect',
			'awaiting-device',
			'exchanging',
			'succeeded',
			'failed',
			'cancelled',
		]),
		flow,
		verification_uri: z.string().optional(),
		verification_uri_complete: z.string().optional(),
		user_code: z.string().optional(),
		authorization_url: z.string().optional(),
		redirect_uri: z.string().optional(),
		expires_at: z.number().optional(),
		polls: z.int().optional(),
		next_poll_at: z.number().optional(),
		reason: z.string().optional(),
	}),
]);

/** What is told of a login while it is under way. */
export type LoginReport = LoginState | {readonly type: 'log'; readonly text: string};

/** What is told, as it travels. The command of a tunnel is for whoever sits before the gateway; a caller knows his own. */
export function loginReportToJson(told: LoginReport): string {
	if (told.type === 'log') {
		return JSON.stringify({type: told.type, text: told.text});
	}

	const {type, server, state, polls, reason} = told;
	return JSON.stringify({
		type,
		server,
		state,
		flow: told.flow,
		verification_uri: told.verificationUri,
		verification_uri_complete: told.verificationUriComplete,
		user_code: told.userCode,
		authorization_url: told.authorizationUrl,
		redirect_uri: told.redirectUri,
		expires_at: told.expiresAt,
		polls,
		next_poll_at: told.nextPollAt,
		reason,
	});
}

/** The same read by a caller, its texts fit to be shown; undefined for what this version does not know. */
export function parseLoginReport(json: unknown): LoginReport | undefined {
	const parsed = reportSchema.safeParse(json);
	if (!parsed.success) {
		return undefined;
	}

	if (parsed.data.type === 'log') {
		return {type: 'log', text: safeText(parsed.data.text)};
	}

	const {type, server, state, expires_at: expiresAt, polls, next_poll_at: nextPollAt, ...told} = parsed.data;
	return {
		type,
		server,
		state,
		flow: told.flow,
		...shown('verificationUri', told.verification_uri),
		...shown('verificationUriComplete', told.verification_uri_complete),
		...shown('userCode', told.user_code),
		...shown('authorizationUrl', told.authorization_url),
		...shown('redirectUri', told.redirect_uri),
		...shown('reason', told.reason),
		...(expiresAt !== undefined && {expiresAt}),
		...(polls !== undefined && {polls}),
		...(nextPollAt !== undefined && {nextPollAt}),
	};
}

/** Addresses of logins are long, and cut they lead nowhere. */
const maximumCharacters = 20_000;

function shown<Name extends string>(name: Name, text: string | undefined): {readonly [Key in Name]?: string} {
	const member: {[Key in Name]?: string} = {};
	if (text !== undefined) {
		member[name] = safeText(text, {maximumCharacters});
	}

	return member;
}
