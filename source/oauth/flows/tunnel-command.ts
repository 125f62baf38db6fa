/**
The command for the computer in front of the person that brings the redirect of a browser there back here; undefined when nobody came over SSH, or the redirect
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
