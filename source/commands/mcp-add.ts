import {separateSecrets, type SeparatedEntry} from '../config/entry-secrets.ts';
import {openProfileChange} from '../config/profile-change.ts';
import {type ProbeReport} from '../gateway/probe-server.ts';
import {isJsonObject, type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {askForTools} from './choose-tools.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {type Dialog} from './dialog.ts';
import {jsonDocument} from './json-document.ts';
import {newServer} from './new-server.ts';
import {answerWords, probeJson} from './probe-words.ts';
import {runCommand} from './run-command.ts';
import {takeOver} from './take-over.ts';
import {type OpenWorkbench, type ProposedServer, type Workbench} from './workbench.ts';

/** `sluice mcp add NAME ADDRESS | -- COMMAND …`: tries the server, asks which tools are wanted, keeps its secrets in `.env`. */
export function runMcpAdd(context: CommandContext, openWorkbench: OpenWorkbench): Promise<ExitCode> {
	return runCommand(context, async () => {
		const {name, entry} = newServer(context.arguments, context.flags);
		const bench = await openWorkbench();
		const change = await openProfileChange(bench.paths);
		if (change.config.has(['mcp_servers', name])) {
			throw new Problem('server_exists', {message: `The name "${name}" is taken, choose another one`});
		}

		const separated = separateSecrets(name, entry, bench.variable);
		const dialog = context.flags.yes ? undefined : context.openDialog();
		try {
			const tried = await tryServer(context, {bench, dialog, server: {name, ...separated}});
			change.setVariables(separated.variables);
			change.config.set(['mcp_servers', name], tried.entry);
			await change.commit();
			tell(context, {name, variables: Object.keys(separated.variables), report: tried.report});
		} finally {
			dialog?.close();
		}

		await takeOver(context);
		return 0;
	});
}

type Trial = {
	readonly bench: Workbench;
	readonly dialog: Dialog | undefined;
	readonly server: ProposedServer & SeparatedEntry;
};

/** The entry as it is to be written, and how the server answered. Throws when it did not and nobody wants it all the same. */
async function tryServer(
	context: CommandContext,
	{bench, dialog, server}: Trial,
): Promise<{readonly entry: JsonObject; readonly report?: ProbeReport}> {
	if (context.flags.probe === false) {
		return {entry: server.entry};
	}

	context.stderr(`Connecting to ${server.name} …\n`);
	const report = await bench.probe(server, context.signal);
	context.stderr(`${answerWords(server.name, report)}\n`);
	if (report.state !== 'connected') {
		const isWanted = context.flags.yes || (await dialog?.confirm('Add it all the same?', 'no'));
		if (!isWanted) {
			const message = dialog ? 'Nothing was changed' : 'It was not added; --yes adds it all the same';
			throw new Problem(dialog ? 'cancelled' : 'server_unavailable', {message});
		}

		return {entry: server.entry, report};
	}

	return {entry: await withChosenTools(context, {dialog, report, entry: server.entry}), report};
}

async function withChosenTools(
	context: CommandContext,
	{
		dialog,
		report,
		entry,
	}: {readonly dialog: Dialog | undefined; readonly report: ProbeReport; readonly entry: JsonObject},
): Promise<JsonObject> {
	const {tools: written} = entry;
	if (!dialog || written !== undefined || report.tools.length === 0) {
		return entry;
	}

	const choice = await askForTools(context, dialog, report.tools);
	return choice === 'all' ? entry : {...entry, tools: {...(isJsonObject(written) ? written : {}), include: choice}};
}

function tell(
	context: CommandContext,
	{
		name,
		variables,
		report,
	}: {readonly name: string; readonly variables: readonly string[]; readonly report?: ProbeReport},
): void {
	if (context.flags.json) {
		context.stdout(jsonDocument({name, variables, ...(report ? probeJson(report) : {})}));
		return;
	}

	const kept = variables.length === 0 ? '' : ` Its secrets are in .env: ${safeText(variables.join(', '))}.`;
	context.stdout(`Added ${name}.${kept}\n`);
}
