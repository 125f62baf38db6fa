import {type LoginState} from '../../state/person-event.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {qrCode} from '../../util/qr-code.ts';

/** The size of the terminal. */
export type TerminalSize = {readonly columns: number; readonly rows: number};

/** The text of a login that needs the person: addresses, codes and commands alone on their lines. */
export function loginText(login: LoginState, size: TerminalSize | undefined): string {
	switch (login.state) {
		case 'awaiting-device':
			return deviceText(login, size);
		case 'awaiting-redirect':
			return redirectText(login);
		case 'discovering':
			return `Logging in to ${login.server} …\n`;
		case 'registering':
		case 'exchanging':
		case 'succeeded':
		case 'failed':
		case 'cancelled':
			return '';
	}
}

/** The most that fits on the terminal with the line of the countdown, so that no part of it scrolls away. */
function deviceText(login: LoginState, size: TerminalSize | undefined): string {
	const {verificationUri = '', verificationUriComplete, userCode = ''} = login;
	const steps = ['Open this address on any device', verificationUri, 'and enter this code', userCode];
	const short =
		verificationUriComplete === undefined ? [] : ['or open this one, with the code in it', verificationUriComplete];
	const time = `The code is valid until ${timeOfDay(login.expiresAt ?? 0)}. Press Ctrl-C to cancel the login.`;
	const picture = size ? [qrPicture(verificationUriComplete ?? verificationUri, size)] : [];
	const versions = [
		paragraphs(...steps, ...short, ...picture.filter(text => text !== ''), time),
		paragraphs(...steps, ...short, time),
		lines(...steps, ...short, 'Ctrl-C cancels the login.'),
		lines(...steps, 'Ctrl-C cancels the login.'),
		lines(...steps),
	];
	return versions.find(text => size === undefined || rowCount(text, size) < size.rows) ?? lines(...steps);
}

/** The picture of an address; empty where the terminal is too narrow for it. Its colours are set, since a camera reads no code whose light and dark are swapped. */
function qrPicture(address: string, {columns}: TerminalSize): string {
	const code = qrCode(address);
	const width = Math.max(...code.map(line => line.length));
	return width <= columns ? code.map(line => `${whiteOnBlack}${line}${plain}`).join('\n') : '';
}

const whiteOnBlack = '\u001B[97;40m';
const plain = '\u001B[0m';

/** Number of terminal rows of a text. */
function rowCount(text: string, {columns}: TerminalSize): number {
	return text
		.replaceAll(whiteOnBlack, '')
		.replaceAll(plain, '')
		.trimEnd()
		.split('\n')
		.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);
}

/** The remaining time of a login, in one line: a line that wraps would scroll the code away with every second. */
export function countdownText(
	{expiresAt = 0, polls}: LoginState,
	{now, columns}: {now: number; columns: number},
): string {
	const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000));
	const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
	const asked = polls ? `, asked ${polls} times` : '';
	const versions = [`Waiting for you, ${left}${asked}`, `${left}${asked}`, left];
	return versions.find(text => text.length < columns) ?? '';
}

function redirectText({authorizationUrl = '', redirectUri = '', tunnelCommand, expiresAt = 0}: LoginState): string {
	const way =
		tunnelCommand === undefined
			? ['Open this address in a browser on this machine (with a display, it opens by itself)']
			: [
					'You are connected over SSH. Run this on your own computer',
					tunnelCommand,
					'and open this address in a browser there',
				];
	return paragraphs(
		...way,
		authorizationUrl,
		`The browser returns to ${redirectUri}. If that fails, paste the address it ended up at here, or the code in it, and press Enter.`,
		`Sluice waits until ${timeOfDay(expiresAt)}. Type cancel or press Ctrl-C to cancel the login.`,
	);
}

function paragraphs(...texts: readonly string[]): string {
	return `${texts.join('\n\n')}\n\n`;
}

function lines(...texts: readonly string[]): string {
	return `${texts.join('\n')}\n`;
}
