import {valueAt} from '../config/plain-value.ts';
import {readConfigFile} from '../config/file.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {authWords} from './auth-words.ts';
import {toolLines} from './choose-tools.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {jsonDocument} from './json-document.ts';
import {knownServer} from './known-server.ts';
import {answerWords, probeJson} from './probe-words.ts';
import {runCommand} from './run-command.ts';
import {type OpenWorkbench, type Workbench} from './workbench.ts';

/** `sluice mcp test NAME`: a connection of its own, beside any gateway: protocol, time, tools, and what the server is shown of you. Exit 1 when it does not answer. */
export function runMcpTest(context: CommandContext, openWorkbench: OpenWorkbench): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [typed, ...others] = context.arguments;
		if (typed === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice mcp test NAME [--json]'});
		}

		const bench = await openWorkbench();
		const name = knownServer(typed, bench.config);
		const entry = await writtenEntry(bench, name);
		context.stderr(`Connecting to ${safeText(name)} …\n`);
		const report = await bench.probe({name, entry}, context.signal);
		const auth = authWords(entry, bench.expand);
		if (context.flags.json) {
			context.stdout(jsonDocument({name, address: report.address, auth, ...probeJson(report)}));
		} else {
			const shows = auth.length === 0 ? ['nothing'] : auth;
			const rows = [
				answerWords(safeText(name), report),
				`address  ${report.address}`,
				...shows.map((line, index) => `${index === 0 ? 'shows    ' : '         '}${line}`),
			];
			context.stdout(`${rows.join('\n')}\n${toolLines(report.tools)}`);
		}

		return report.state === 'connected' ? 0 : 1;
	});
}

/** The entry as it stands in the file, switched off or not. */
async function writtenEntry({paths, config}: Workbench, name: string): Promise<JsonObject> {
	const broken = config.brokenServers.find(server => server.name === name);
	if (broken) {
		throw broken.problem;
	}

	const file = await readConfigFile(paths.config);
	const entry = file.kind === 'read' ? valueAt(file.value, ['mcp_servers', name]) : undefined;
	return isJsonObject(entry) ? {...entry, enabled: true} : {};
}
