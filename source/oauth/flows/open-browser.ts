import {Problem} from '../../util/problem.ts';

/** Some systems cut longer URLs, and no server needs them. */
const longestCharacters = 8192;

/**
True if the person would see a browser opened here: not over SSH, and on Linux only with a display.
*/
export function hasLocalDisplay(variables: Readonly<Record<string, string>>, platform = process.platform): boolean {
	if (variables['SSH_CONNECTION'] || variables['SSH_TTY'] || variables['SSH_CLIENT']) {
		return false;
	}

	return platform === 'darwin' || platform === 'win32' || Boolean(variables['DISPLAY'] || variables['WAYLAND_DISPLAY']);
}

/**
Opens the browser of this machine by program and argument, never through a shell, and only for web addresses.
Rejects with `login_failed` for anything else, and when the program is missing.
*/
export async function openBrowser(url: string, variables: Readonly<Record<string, string>>): Promise<void> {
	const parsed = URL.parse(url);
	if ((parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') || parsed.href.length > longestCharacters) {
		throw new Problem('login_failed', {message: 'The login address cannot be opened, because it is not a web address'});
	}

	const {execa} = await import('execa');
	const [command, ...before] = openers[process.platform] ?? ['xdg-open'];
	const opener = execa(command, [...before, parsed.href], {
		env: variables,
		extendEnv: false,
		stdio: 'ignore',
		cleanup: false,
		detached: true,
	});
	const child = opener.nodeChildProcess;
	child.unref();
	// The program may run as long as the browser: wait only for its start.
	await new Promise<void>((resolve, reject) => {
		child.once('spawn', () => resolve());
		opener.catch(reject);
	});
}

/** Shows a page to the person at this machine; false where there is no display or no browser. Never rejects. */
export async function showInBrowser(
	url: string,
	variables: Readonly<Record<string, string>>,
	open = openBrowser,
): Promise<boolean> {
	return (
		hasLocalDisplay(variables) &&
		open(url, variables).then(
			() => true,
			() => false,
		)
	);
}

/** The line for a person whose page was not opened. */
export const notOpened = 'No browser could be opened here; open the address yourself';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
	darwin: ['open'],
	win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
The SSH command for the person's computer that forwards the redirect of a browser there to this machine; undefined without SSH, or when the redirect
does not go to a port of this machine.
*/
export function tunnelCommand(variables: Readonly<Record<string, string>>, redirectUri: string): string | undefined {
	const host = variables['SSH_CONNECTION']?.split(' ')[2];
	const redirect = URL.parse(redirectUri);
	if (host === undefined || redirect === null || !/^(127\.0\.0\.1|localhost|\[::1\])$/u.test(redirect.hostname)) {
		return undefined;
	}

	const port = redirect.port || '80';
	const user = variables['USER'] ? `${variables['USER']}@` : '';
	return `ssh -N -L ${port}:127.0.0.1:${port} ${user}${host}`;
}
