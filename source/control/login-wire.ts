import {z} from 'zod';
import {type LoginReportJson} from '../state/json/login.ts';
import {type LoginState} from '../state/person-event.ts';
import {safeText} from '../util/safe-text.ts';

const flow = z.enum(['device', 'browser']);

/** A server that logs in. */
export const loginServerJson = z.object({name: z.string(), flow, enabled: z.boolean()});

/** The end of a login; a failed one is an error reply with its problem. */
export const loginEndJson = z.discriminatedUnion('outcome', [
	z.object({outcome: z.literal('succeeded')}),
	z.object({outcome: z.enum(['cancelled', 'failed']), reason: z.string()}),
]);

/** The result of revoking tokens at a logout. */
export const revocationJson = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('no-tokens')}),
	z.object({kind: z.literal('not-possible')}),
	z.object({kind: z.literal('revoked'), issuer: z.string()}),
	z.object({kind: z.literal('failed'), issuer: z.string(), why: z.string()}),
]);

/** A report of a login under way. */
export const loginReportJson = z.discriminatedUnion('type', [
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

/** Notes of a login under way: its states and log lines. */
export type LoginReport = LoginState | {readonly type: 'log'; readonly text: string};

/** A report as it travels. The tunnel command is left out: it depends on where the caller is, who makes his own. */
export function loginReportToJson(report: LoginReport): LoginReportJson {
	if (report.type === 'log') {
		return {type: report.type, text: report.text};
	}

	const {type, server, state, polls, reason} = report;
	return {
		type,
		server,
		state,
		flow: report.flow,
		verification_uri: report.verificationUri,
		verification_uri_complete: report.verificationUriComplete,
		user_code: report.userCode,
		authorization_url: report.authorizationUrl,
		redirect_uri: report.redirectUri,
		expires_at: report.expiresAt,
		polls,
		next_poll_at: report.nextPollAt,
		reason,
	};
}

/** The same read by a caller, its texts fit to be shown; undefined for what this version does not know. */
export function parseLoginReport(json: unknown): LoginReport | undefined {
	const parsed = loginReportJson.safeParse(json);
	if (!parsed.success) {
		return undefined;
	}

	if (parsed.data.type === 'log') {
		return {type: 'log', text: safeText(parsed.data.text)};
	}

	const {type, server, state, expires_at: expiresAt, polls, next_poll_at: nextPollAt, ...rest} = parsed.data;
	return {
		type,
		server,
		state,
		flow: rest.flow,
		...shown('verificationUri', rest.verification_uri),
		...shown('verificationUriComplete', rest.verification_uri_complete),
		...shown('userCode', rest.user_code),
		...shown('authorizationUrl', rest.authorization_url),
		...shown('redirectUri', rest.redirect_uri),
		...shown('reason', rest.reason),
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
