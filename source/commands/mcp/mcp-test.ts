import {toJsonObject, valueAt} from '../../config/values/plain-value.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {authText} from './auth-text.ts';
import {toolLines} from './choose-tools.ts';
import {type CommandContext, type ExitCode, reportWaiting} from '../cli/command-context.ts';
import {jsonDocument} from '../cli/json-document.ts';
import {answerText, probeJson} from './probe-text.ts';
import {type LoadConfigSession, type ConfigSession} from './config-session.ts';

/**
`sluice mcp test NAME`: a connection of its own, beside any gateway: protocol, time, tools, and what the server is shown of the person.
`typed` is the name as typed. Exit 1 when the server does not answer.
*/
export async function runMcpTest(
	context: CommandContext,
	typed: string,
	loadConfigSession: LoadConfigSession,
): Promise<ExitCode> {
	const config = await loadConfigSession();
	const name = config.findServer(typed);
	const entry = await writtenEntry(config, name);
	context.stderr(`Connecting to ${typed} …\n`);
	const report = await reportWaiting(context, typed, config.probe({name, entry}, context.signal));
	const auth = authText(entry, config.expand);
	if (context.flags.json) {
		context.stdout(jsonDocument({name, address: report.address, auth, ...probeJson(report)}));
	} else {
		const [first = 'nothing', ...rest] = auth;
		const rows = [
			answerText(name, report),
			`address  ${report.address}`,
			`shows    ${first}`,
			...rest.map(line => `         ${line}`),
		];
		context.stdout(`${rows.join('\n')}\n${toolLines(report.tools)}`);
	}

	return report.state === 'connected' ? 0 : 1;
}

/** The entry as it stands in the file, switched off or not. Throws the problem of one that cannot be used. */
async function writtenEntry({config, openChange}: ConfigSession, name: string): Promise<JsonObject> {
	const broken = config.brokenServers.find(server => server.name === name);
	if (broken) {
		throw broken.problem;
	}

	const change = await openChange();
	return {...toJsonObject(valueAt(change.config.value(), ['mcp_servers', name])), enabled: true};
}
