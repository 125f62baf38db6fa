import {type Tone} from '../../state/entities/status-text.ts';
import {type LoginRow, type Snapshot} from '../../state/snapshot.ts';
import {qrCode} from '../../util/qr-code.ts';
import {layoutName, type Size} from '../text/layout.ts';
import {
	isWithoutLogin,
	loginDetail,
	loginOf,
	type LoginStage,
	loginStage,
	serverOf,
	shortLoginDetail,
} from '../lists/login-rows.ts';
import {type LoginMode} from '../state/mode.ts';
import {type Line, lineWidth, lineWithEnd, span} from '../text/span.ts';
import {textWidth, wrapToWidth} from '../text/text-width.ts';

/** The login of one server in lines: how to begin, or what to open and type, with a QR code where there is room. It offers what its keys do (`input/modes.ts`). */
export function loginScreenLines(
	mode: LoginMode,
	snapshot: Pick<Snapshot, 'logins' | 'servers' | 'console'>,
	{size, now, readOnly}: {readonly size: Size; readonly now: number; readonly readOnly: boolean},
): readonly Line[] {
	const login = loginOf(mode, snapshot);
	const stage = loginStage(mode, snapshot);
	const refused = textLines(mode.refused && `refused: ${mode.refused}`, size.columns, 'bad');
	if (login && stage === 'under-way') {
		return layoutName(size) === 'narrow'
			? [...refused, ...shortLoginDetail(login, size.columns, now)]
			: withCode(
					[...refused, ...loginDetail(login, size.columns, now), ...(readOnly ? [] : pasteLines(login, size.columns))],
					qrLines(login),
					size,
				);
	}

	const known = login && stage !== 'starting' ? [...loginDetail(login, size.columns, now), []] : [];
	return [...known, ...refused, ...nextLines({mode, stage, readOnly}, snapshot, size.columns)];
}

/** The lines where no login is under way. */
function nextLines(
	{mode, stage, readOnly}: {readonly mode: LoginMode; readonly stage: LoginStage; readonly readOnly: boolean},
	snapshot: Pick<Snapshot, 'servers' | 'console'>,
	width: number,
): readonly Line[] {
	const {server} = mode;
	if (snapshot.console.state === 'lost') {
		return textLines('no connection with the gateway: no login starts here', width, 'busy');
	}

	switch (stage) {
		case 'starting':
			return textLines(`The login to ${server} is being started.`, width, 'busy');
		case 'logged-in':
			return textLines(`${server} uses this login when it connects.`, width, 'normal');
		case 'connected':
			return [
				...textLines(`${server} is connected: no login is needed. To log in again:`, width, 'normal'),
				[span(`   sluice mcp reauth ${server}`)],
			];
		case 'under-way':
		case 'choice':
			return readOnly ? lookingLines(mode) : choiceLines(mode, snapshot, width);
	}
}

function pasteLines({flow, state}: LoginRow, width: number): readonly Line[] {
	const words = 'or press v and paste the address the browser was sent to, even if it shows an error';
	return flow === 'browser' && state === 'awaiting-redirect' ? [[], ...textLines(words, width, 'dim')] : [];
}

function textLines(text: string | undefined, width: number, tone: Tone): readonly Line[] {
	return text === undefined ? [] : wrapToWidth(text, width - 2).map((part): Line => [span(` ${part}`, tone)]);
}

/** In a read-only dashboard no key starts a login: the lines name the command. */
function lookingLines({server}: LoginMode): readonly Line[] {
	return [[span(' read-only: no login starts here; on a terminal:', 'busy')], [span(`   sluice mcp login ${server}`)]];
}

function choiceLines(mode: LoginMode, snapshot: Pick<Snapshot, 'servers'>, width: number): readonly Line[] {
	const isWithout = isWithoutLogin(serverOf(mode, snapshot));
	return [
		[span(` Log in to ${mode.server}:`, 'strong')],
		...(isWithout
			? [
					[span(' It is configured without a login.', 'busy')],
					[span(' Each of these keys sets `auth: oauth`.', 'busy')],
				]
			: []),
		...choiceOf('enter', isWithout ? 'as usual, with a browser' : 'as configured', width),
		...choiceOf('a', 'on any device, with a code  (for machines without a browser)', width),
		...choiceOf('b', 'with a browser, on this machine or through a tunnel', width),
	];
}

function choiceOf(key: string, words: string, width: number): readonly Line[] {
	return wrapToWidth(words, width - 10).map(
		(part, index): Line => [span(`  ${(index === 0 ? key : '').padEnd(7)}`, 'accent'), span(part)],
	);
}

function qrLines(login: LoginRow): readonly string[] {
	const text = login.verificationUriComplete ?? login.verificationUri;
	return text === undefined ? [] : qrCode(text);
}

/** Rows of the screen not available to the login. */
const frameRows = 4;

/** The lines with the QR code to the right of the first ones that leave room for it; without it if it does not fit. */
function withCode(lines: readonly Line[], code: readonly string[], size: Size): readonly Line[] {
	const codeWidth = Math.max(0, ...code.map(textWidth));
	const room = size.columns - codeWidth - 2;
	const widest = lines.findLastIndex(line => lineWidth(line) > room);
	const first = widest + 1;
	if (code.length === 0 || first + code.length > size.rows - frameRows || room < 24) {
		return lines;
	}

	const count = Math.max(lines.length, first + code.length);
	return Array.from({length: count}, (_, index) => {
		const line = lines[index] ?? [];
		const right = code[index - first];
		return right === undefined ? line : lineWithEnd(line, [span(right, 'code'), span(' ')], size.columns);
	});
}
