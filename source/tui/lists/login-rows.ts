import {type LoginRow, type ServerRow, type Snapshot} from '../../state/snapshot.ts';
import {minutesText} from '../text/duration-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {addressSpan, cell, type Line, span} from '../text/span.ts';
import {loginText} from '../../state/entities/status-text.ts';
import {splitAtWidth} from '../text/text-width.ts';
import {wideCells} from './columns.ts';
import {labelled, labelledStatus, type ListRow, rememberRows} from './list-row.ts';
import {stateValue} from './sorting.ts';

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
		values: () => ({name: login.server, state: stateValue(loginText[login.state])}),
		line: (width, now) => loginLine(login, width, now),
		detail: (width, now) => loginDetail(login, width, now),
	}),
);

/** Each server has at most one login. */
export function loginId(login: {readonly profile: string; readonly server: string}): string {
	return `${login.profile}/${login.server}`;
}

/** True if a login has not ended yet. */
export function isUnderWay({state}: Pick<LoginRow, 'state'>): boolean {
	return state !== 'succeeded' && state !== 'failed' && state !== 'cancelled';
}

/** The server of a login, as long as it is configured. */
export function serverOf(
	{server, profile}: Pick<ServerRow, 'server' | 'profile'>,
	{servers}: Pick<Snapshot, 'servers'>,
): ServerRow | undefined {
	return servers.find(row => row.server === server && row.profile === profile);
}

/** True if a server is configured without a login that it could have. */
export function isWithoutLogin(row: Pick<ServerRow, 'login'> | undefined): boolean {
	return row?.login === 'possible' || row?.login === 'asked-for';
}

/** The page of a login: its server, and the login as it was when a key of the page asked for another one. */
type LoginPage = Pick<ServerRow, 'server' | 'profile'> & {
	readonly sent?: {readonly before: LoginRow | undefined} | undefined;
};

/** The purpose of the page of a login: to begin one, to follow it, or to say that none is needed. */
export type LoginStage = 'choice' | 'starting' | 'under-way' | 'logged-in' | 'connected';

/** The login a page is about, if there was one. */
export function loginOf({server, profile}: LoginPage, {logins}: Pick<Snapshot, 'logins'>): LoginRow | undefined {
	return logins.find(row => row.server === server && row.profile === profile);
}

/** The stage of a login. A server that asks again after a login succeeded needs another one. */
export function loginStage(page: LoginPage, snapshot: Pick<Snapshot, 'logins' | 'servers'>): LoginStage {
	const login = loginOf(page, snapshot);
	if (page.sent && page.sent.before === login) {
		return 'starting';
	}

	if (login && isUnderWay(login)) {
		return 'under-way';
	}

	const server = serverOf(page, snapshot);
	if (server?.state === 'connected') {
		return 'connected';
	}

	const isUsed = server !== undefined && login?.state === 'succeeded' && hasNotAskedSince(server, login);
	return isUsed ? 'logged-in' : 'choice';
}

function hasNotAskedSince({state, changedAt}: ServerRow, login: LoginRow): boolean {
	return state === 'connecting' || changedAt <= login.changedAt;
}

function loginLine(login: LoginRow, width: number, now: number): Line {
	const {glyph, word, tone} = loginText[login.state];
	const left = isUnderWay(login) && login.expiresAt !== undefined ? minutesText(login.expiresAt - now) : '';
	const note = login.userCode ?? login.reason ?? '';
	return width < 60
		? [span(`${glyph} `, tone), cell(login.server, 13, 'strong'), span(`${note || word} ${left}`)]
		: [
				span(`${glyph} `, tone),
				cell(login.server, wideCells(17, 0.2, width), 'strong'),
				cell(word, 18, tone),
				cell(login.flow, 8, 'dim'),
				cell(left, 7, 'busy'),
				span(
					[login.userCode, login.verificationUri ?? login.authorizationUrl, login.reason].filter(Boolean).join('  '),
				),
			];
}

/** A login in lines: the URL to open, the code to type there, and its state. A URL has lines of its own, so that it can be copied whole. */
export function loginDetail(login: LoginRow, width: number, now: number): Line[] {
	const rest = login.expiresAt === undefined ? '' : uiText` · expires in ${minutesText(login.expiresAt - now)}`;
	return [
		labelledStatus('state', loginText[login.state], span(rest, 'busy')),
		...labelled('reason', login.reason, width),
		...labelled('profile', login.profile, width),
		...address('open on any device', login.verificationUri, width),
		...(login.userCode === undefined
			? []
			: [
					[],
					[span(' and type   ', 'dim'), span(login.userCode, 'notice')],
					[span('              the page should show the same code', 'dim')],
				]),
		...address('or open this one, with the code in it', login.verificationUriComplete, width),
		...polls(login, now),
		...address('open in a browser', login.authorizationUrl, width),
		...labelled('returns to', login.redirectUri, width),
		...(login.tunnelCommand === undefined
			? []
			: [...address('if the browser is on another machine, run this there first', login.tunnelCommand, width)]),
	];
}

/** A login that waits for a person on a small screen: what to open and type and the time left come first, each in full. */
export function shortLoginDetail(login: LoginRow, width: number, now: number): Line[] {
	const {verificationUri, userCode, verificationUriComplete, authorizationUrl, tunnelCommand, expiresAt} = login;
	const {glyph, word, tone} = loginText[login.state];
	const left = expiresAt === undefined ? '' : uiText` · ${minutesText(expiresAt - now)} left`;
	const plain = (text: string | undefined): Line[] => (text === undefined ? [] : addressLines(text, width));
	return [
		[span(` ${glyph} ${word}`, tone), span(left, 'busy')],
		...plain(verificationUri),
		...(userCode === undefined ? [] : [[span(' type  ', 'dim'), span(userCode, 'notice')]]),
		...(tunnelCommand === undefined ? [] : [[span(' run on your own computer', 'dim')], ...plain(tunnelCommand)]),
		...(authorizationUrl === undefined ? [] : [[span(' open this; c copies all of it', 'dim')]]),
		...plain(authorizationUrl),
		...(verificationUriComplete === undefined
			? []
			: [[span(' or, with the code in it', 'dim')], ...plain(verificationUriComplete)]),
		...polls(login, now),
	];
}

/** An address, each of its rows a link to all of it; a command is none. */
function addressLines(text: string, width: number): Line[] {
	return splitAtWidth(text, width).map((part): Line => [addressSpan(part, text, 'strong')]);
}

/** A title, and below it the URL, starting in the first column. */
function address(title: string, text: string | undefined, width: number): Line[] {
	return text === undefined ? [] : [[], [span(` ${title}`, 'dim')], ...addressLines(text, width)];
}

function polls({state, polls: asked, nextPollAt}: LoginRow, now: number): Line[] {
	if (state !== 'awaiting-device' || asked === undefined) {
		return [];
	}

	const next = nextPollAt === undefined ? '' : uiText` · next in ${minutesText(nextPollAt - now)}`;
	return [[span(` asked ${asked} ${asked === 1 ? 'time' : 'times'}${next}`, 'dim')]];
}
