import {type LoginRow} from '../../state/snapshot.ts';
import {minutesText} from '../text/duration-text.ts';
import {type ListRow, rememberRows} from './list-row.ts';
import {loginDetail} from './login-lines.ts';
import {cell, type Line, span} from '../text/span.ts';
import {loginText} from '../text/status-text.ts';

/** The row of a login. */
export const loginListRow = rememberRows(
	(login: LoginRow): ListRow => ({
		id: loginId(login),
		copy: login.verificationUri ?? login.authorizationUrl,
		fields: () => ({
			server: login.server,
			state: login.state,
			flow: login.flow,
			code: login.userCode ?? '',
			reason: login.reason ?? '',
			profile: login.profile,
		}),
		line: (width, now) => loginLine(login, width, now),
		detail: (width, now) => loginDetail(login, {width, now}),
	}),
);

/** A login is its server's: each has at most one. */
export function loginId(login: {readonly profile: string; readonly server: string}): string {
	return `${login.profile}/${login.server}`;
}

/** Whether a login goes on: somebody or something is waited for. */
export function isUnderWay({state}: Pick<LoginRow, 'state'>): boolean {
	return state !== 'succeeded' && state !== 'failed' && state !== 'cancelled';
}

function loginLine(login: LoginRow, width: number, now: number): Line {
	const {glyph, word, tone} = loginText[login.state];
	const left = isUnderWay(login) && login.expiresAt !== undefined ? minutesText(login.expiresAt - now) : '';
	const note = login.userCode ?? login.reason ?? '';
	return width < 60
		? [span(`${glyph} `, tone), cell(login.server, 12, 'strong'), span(` ${note || word} ${left}`)]
		: [
				span(`${glyph} `, tone),
				cell(login.server, 16, 'strong'),
				span(' '),
				cell(word, 18, tone),
				cell(login.flow, 8, 'dim'),
				cell(left, 7, 'busy'),
				span(
					[login.userCode, login.verificationUri ?? login.authorizationUrl, login.reason].filter(Boolean).join('  '),
				),
			];
}
