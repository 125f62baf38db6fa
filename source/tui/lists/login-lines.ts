import {type LoginRow} from '../../state/snapshot.ts';
import {minutesText} from '../text/duration-text.ts';
import {labelled} from './list-row.ts';
import {own, type Line, span} from '../text/span.ts';
import {loginText} from '../text/status-text.ts';
import {splitAtWidth} from '../text/text-width.ts';

/** A login in lines: what to open, what to type there, how it stands. Addresses stand alone on their lines, so that they can be copied whole. */
export function loginDetail(login: LoginRow, {width, now}: {readonly width: number; readonly now: number}): Line[] {
	const {glyph, word, tone} = loginText[login.state];
	const rest = login.expiresAt === undefined ? '' : own` · expires in ${minutesText(login.expiresAt - now)}`;
	return [
		[span(' state      ', 'dim'), span(`${glyph} ${word}`, tone), span(rest, 'busy')],
		...labelled('reason', login.reason, width),
		...labelled('profile', login.profile, width),
		...address('open on any device', login.verificationUri, width),
		...(login.userCode === undefined
			? []
			: [
					[],
					[span(' and type   ', 'dim'), span(login.userCode, 'notice')],
					[span('              the page should show the same', 'dim')],
				]),
		...polls(login, now),
		...address('open in a browser', login.authorizationUrl, width),
		...labelled('returns to', login.redirectUri, width),
		...(login.tunnelCommand === undefined
			? []
			: [...address('when the browser is on another machine, run there first', login.tunnelCommand, width)]),
		...(login.flow === 'browser' && login.state === 'awaiting-redirect'
			? [[], [span(' or press v and paste the address the browser was sent to, even if it shows an error', 'dim')]]
			: []),
	];
}

/** A title and below it the address, without a frame and from the first column. */
function address(title: string, text: string | undefined, width: number): Line[] {
	return text === undefined
		? []
		: [[], [span(` ${title}`, 'dim')], ...splitAtWidth(text, width).map((part): Line => [span(part, 'strong')])];
}

function polls({state, polls: asked, nextPollAt}: LoginRow, now: number): Line[] {
	if (state !== 'awaiting-device' || asked === undefined) {
		return [];
	}

	const next = nextPollAt === undefined ? '' : own` · next in ${minutesText(nextPollAt - now)}`;
	return [[span(` asked ${asked} ${asked === 1 ? 'time' : 'times'}${next}`, 'dim')]];
}
