import {type TransportConfig} from '../../config/servers/server-transport.ts';
import {isSecretSetting} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';

const masked = '•••';
const maximumCharacters = 300;

/**
The command line or URL of a server, safe to show: variable references stay unresolved, values of flags that look secret are
masked, URLs lose credentials and query; `env` and `headers` never appear.
*/
export function serverAddress(transport: TransportConfig): string {
	const text =
		transport.kind === 'stdio'
			? [transport.command, ...maskArguments(transport.args)].map(quoteIfNeeded).join(' ')
			: plainUrl(transport.url);
	return safeText(text, {maximumCharacters});
}

/** Masks the values of `--token abc`, `--token=abc` and `TOKEN=abc`. */
function maskArguments(args: readonly string[]): string[] {
	return args.map((argument, index) => {
		const assignment = /^(-{0,2}[\w.-]+)=/u.exec(argument);
		if (assignment) {
			return isSecretSetting(flagName(assignment[1])) ? `${assignment[1]}=${masked}` : argument;
		}

		const flag = args[index - 1];
		const followsSecretFlag = flag?.startsWith('-') && !flag.includes('=') && isSecretSetting(flagName(flag));
		return followsSecretFlag && !argument.startsWith('-') ? masked : withoutCredentials(argument);
	});
}

function flagName(flag = ''): string {
	return flag.replace(/^-+/u, '').replaceAll('-', '_');
}

function plainUrl(url: string): string {
	return withoutCredentials(url.replace(/[?#].*$/su, ''));
}

/** Removes the credentials from `https://user:password@host`. */
function withoutCredentials(text: string): string {
	return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/iu, `$1${masked}@`);
}

function quoteIfNeeded(argument: string): string {
	return argument === '' || /\s/u.test(argument) ? JSON.stringify(argument) : argument;
}
