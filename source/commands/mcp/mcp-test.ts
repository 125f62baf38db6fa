import {toJsonObject, valueAt} from '../../config/values/plain-value.ts';
import {readFileVariables} from '../../mcp/transport/child-files.ts';
import {actionCommands} from '../../state/next-action.ts';
import {isJsonObject, type JsonObject} from '../../util/json-text.ts';
import {isSecretSetting} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command.ts';
import {type Session} from '../cli/session.ts';
import {onlyWord} from '../cli/words.ts';
import {jsonDocument} from '../cli/listing.ts';
import {type ConfigSession, loadConfigSession} from './config-session.ts';
import {answerText, probeJson} from './probe-text.ts';
import {toolLines} from './try-server.ts';

/**
`sluice mcp test NAME`: a connection of its own, beside any gateway: protocol, time, tools, and what the server is shown of the person.
Exit 1 when the server does not answer.
*/
export async function runMcpTest(context: CommandContext, session: Session): Promise<ExitCode> {
	const typed = onlyWord(context, 'sluice mcp test NAME [--json]');
	const config = await loadConfigSession(session);
	const name = config.findServer(typed);
	const entry = await writtenEntry(config, name);
	context.stderr(`Connecting to ${typed} …\n`);
	const server = {name, entry};
	const names = await config.withheld(server);
	const report = await reportWaiting(context, typed, config.probe(server, {signal: context.signal}), () =>
		names.length === 0 ? undefined : actionCommands([{kind: 'pass-env', names}]),
	);
	const tried = {name, profile: session.paths.profile, home: session.flags.home};
	const auth = [...authText(entry, config.expand), ...(await fileText(entry, config.expand))];
	if (context.flags.json) {
		context.stdout(jsonDocument({name, address: report.address, auth, ...probeJson(tried, report)}));
	} else {
		const [first = 'nothing of yours', ...rest] = auth;
		const rows = [
			answerText(tried, report),
			`address  ${report.address}`,
			`gets     ${first}`,
			...rest.map(line => `         ${line}`),
		];
		context.stdout(`${rows.join('\n')}\n${toolLines(report.tools)}`);
	}

	return report.state === 'connected' ? 0 : 1;
}

/** The entry exactly as in the file, enabled or not. Throws the problem of one that cannot be used. */
async function writtenEntry({config, openChange}: ConfigSession, name: string): Promise<JsonObject> {
	const broken = config.brokenServers.find(server => server.name === name);
	if (broken) {
		throw broken.problem;
	}

	const change = await openChange();
	return {...toJsonObject(valueAt(change.config.value(), ['mcp_servers', name])), enabled: true};
}

/** The credentials of a server's entry, one line each, secrets masked. */
function authText(entry: JsonObject, expand: (text: string) => string): readonly string[] {
	const members = typeof entry['url'] === 'string' ? entry['headers'] : entry['env'];
	const secrets = Object.entries(isJsonObject(members) ? members : {}).filter(([name]) => isSecretSetting(name));
	return [
		...(entry['auth'] === 'oauth' ? ['an OAuth token'] : []),
		...(entry['client_cert'] === undefined ? [] : ['a client certificate']),
		...secrets.map(([name, value]) => `${safeText(name)}: ${masked(typeof value === 'string' ? value : '', expand)}`),
	];
}

/** The names of the variables that the server gets from its `env_file`; a file that cannot be used is the reason of the failed connection already. */
async function fileText(entry: JsonObject, expand: (text: string) => string): Promise<readonly string[]> {
	const {url, env_file: envFile} = entry;
	if (typeof url === 'string' || typeof envFile !== 'string') {
		return [];
	}

	const variables = await readFileVariables({envFile}, expand).catch(() => ({}));
	return Object.keys(variables).map(name => `${safeText(name)} of its env_file`);
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
