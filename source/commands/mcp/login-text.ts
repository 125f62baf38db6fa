import {type LoginState} from '../../state/person-event.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {qrCode} from '../../util/qr-code.ts';

/** Lines that stand beside a picture: it is left out where they would be pushed off the screen. */
const linesBesideQrCode = 10;

/** What is shown when a login needs something of the person: addresses, codes and commands alone on their lines. */
export function loginText(
	login: LoginState,
	size: {readonly columns: number; readonly rows: number} | undefined,
): string {
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

function deviceText(login: LoginState, size: {readonly columns: number; readonly rows: number} | undefined): string {
	const {verificationUri = '', verificationUriComplete, userCode = ''} = login;
	return paragraphs(
		'Open this address on any device',
		verificationUri,
		'and enter this code',
		userCode,
		...picture(verificationUriComplete ?? verificationUri, size),
		`The code is valid until ${timeOfDay(login.expiresAt ?? 0)}. Press Ctrl-C to cancel the login.`,
	);
}

/** The picture of an address where the terminal has room for it. */
function picture(
	address: string,
	size: {readonly columns: number; readonly rows: number} | undefined,
): readonly string[] {
	const lines = size ? qrCode(address) : [];
	const width = Math.max(...lines.map(line => line.length));
	const fits = size && width <= size.columns && lines.length + linesBesideQrCode <= size.rows;
	return fits ? [lines.join('\n')] : [];
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
		`The browser returns to ${redirectUri}. If that fails, paste the address it ended up at here and press Enter.`,
		`Sluice waits until ${timeOfDay(expiresAt)}. Press Ctrl-C to cancel the login.`,
	);
}

function paragraphs(...texts: readonly string[]): string {
	return `${texts.join('\n\n')}\n\n`;
}
