import {type SeparatedEntry} from '../../config/secrets/entry-secrets.ts';
import {type ProbeReport} from '../../gateway/probe-server.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {askForTools} from './choose-tools.ts';
import {type CommandContext, reportWaiting} from '../cli/command-context.ts';
import {type Dialog} from '../cli/dialog.ts';
import {answerText} from './probe-text.ts';

/** A new server, how it is tried, and who is asked. */
export type Trial = {
	readonly server: SeparatedEntry & {readonly name: string};
	readonly probe: (server: Trial['server'], signal: AbortSignal) => Promise<ProbeReport>;
	readonly dialog: Dialog | undefined;
};

/** The entry of a new server as it is to be written, and how the server answered. */
export type TriedServer = {readonly entry: JsonObject; readonly report?: ProbeReport};

/** Connects a new server and asks which of its tools are wanted. Throws when it did not answer and nobody wants it all the same. */
export async function tryServer(
	context: Pick<CommandContext, 'flags' | 'stderr' | 'signal' | 'clock'>,
	{server, probe, dialog}: Trial,
): Promise<TriedServer> {
	if (context.flags.probe === false) {
		return {entry: server.entry};
	}

	context.stderr(`Connecting to ${server.name} …\n`);
	const report = await reportWaiting(context, server.name, probe(server, context.signal));
	context.stderr(`${answerText(server.name, report)}\n`);
	if (report.state === 'connected') {
		return {entry: await withChosenTools(context, {dialog, report, entry: server.entry}), report};
	}

	const isWanted = context.flags.yes || (await dialog?.confirm('Add it all the same?', 'no'));
	if (!isWanted) {
		throw dialog
			? new Problem('cancelled', {message: 'Nothing was changed'})
			: new Problem('server_unavailable', {message: 'It was not added; --yes adds it all the same'});
	}

	return {entry: server.entry, report};
}

async function withChosenTools(
	context: Pick<CommandContext, 'stderr'>,
	{dialog, report, entry}: {readonly report: ProbeReport; readonly entry: JsonObject} & Pick<Trial, 'dialog'>,
): Promise<JsonObject> {
	if (!dialog || entry['tools'] !== undefined || report.tools.length === 0) {
		return entry;
	}

	const choice = await askForTools(context, dialog, report.tools);
	return choice === 'all' ? entry : {...entry, tools: {include: choice}};
}
