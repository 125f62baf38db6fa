import {shownName} from '../../util/safe-text.ts';
import {dateAndTime} from '../time-text.ts';
import {type Fields} from './entity.ts';
import {type JsonRow} from './json-kind.ts';
import {tableOf} from './table.ts';

/** The properties of a login that is stored for a server (docs/logins.md, Look at logins). */
export const loginFields = {
	server: {json: 'text'},
	/** wider-login-required: the server asked for a scope that the login lacks. unused: its server has no `auth: oauth` any more. */
	state: {json: ['logged-in', 'expired', 'wider-login-required', 'not-logged-in', 'unused']},
	/** Null: none is configured. */
	flow: {json: ['device', 'browser', null]},
	issuer: {json: 'text?'},
	scopes: {json: 'texts'},
	/** Null: the authorization server did not say, or nobody is logged in. */
	expires_at: {json: 'time?'},
	/** True if Sluice renews the access token without a person. */
	renews: {json: 'boolean'},
} as const satisfies Fields<object>;

/** `sluice logins list`. */
export const loginTable = tableOf(loginFields, [
	'server',
	'state',
	'issuer',
	{title: 'SCOPES', cell: ({scopes}) => scopes.map(scope => shownName(scope)).join(' ')},
	{title: 'EXPIRES', cell: expiryText},
]);

function expiryText({state, expires_at: expiresAt, renews}: JsonRow<typeof loginFields>): string {
	if (state === 'not-logged-in') {
		return '';
	}

	const time = expiresAt === null ? 'unknown' : dateAndTime(expiresAt);
	return renews ? `${time}, renewed by itself` : time;
}
