import {didYouMean} from '../../config/values/did-you-mean.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';

/** The name of a configured server, usable or not. Throws `unknown_server` with the one that was probably meant. */
export function knownServer(typed: string, {servers, brokenServers}: GatewayConfig): string {
	const names = [...servers, ...brokenServers].map(server => server.name);
	if (names.includes(typed)) {
		return typed;
	}

	const meant = didYouMean(typed, names);
	const hint = meant === undefined ? '' : `; did you mean "${safeText(meant, {maximumCharacters: 100})}"?`;
	const shown = safeText(typed, {maximumCharacters: 100});
	throw new Problem('unknown_server', {message: `No server is called "${shown}"${hint}`});
}
