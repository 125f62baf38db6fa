import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {isSecretSetting} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';

/** What a server is shown to know the person, a line for each, without the secret itself. */
export function authText(entry: JsonObject, expand: (text: string) => string): readonly string[] {
	const members = typeof entry['url'] === 'string' ? entry['headers'] : entry['env'];
	const secrets = Object.entries(isJsonObject(members) ? members : {}).filter(([name]) => isSecretSetting(name));
	return [
		...(entry['auth'] === 'oauth' ? ['an OAuth token'] : []),
		...(entry['client_cert'] === undefined ? [] : ['a client certificate']),
		...secrets.map(([name, value]) => `${safeText(name)}: ${masked(typeof value === 'string' ? value : '', expand)}`),
	];
}

function masked(written: string, expand: (text: string) => string): string {
	const value = expand(written);
	const unset = /\$\{[^}]*\}/u.exec(value)?.[0];
	if (unset !== undefined) {
		return `${safeText(unset)} is not set`;
	}

	const [, scheme = '', secret = value] = /^((?:Bearer|Basic|Token) +)(.*)$/isu.exec(value) ?? [];
	return secret === '' ? 'empty' : `${scheme}‹${secret.length} characters›`;
}
