import {assertFreeName, isTakenName, type ProfileChange} from '../../config/edit/profile-change.ts';
import {parseNewServer} from '../../tui/state/add-server.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {checkServerName, newServer} from '../mcp/new-server.ts';
import {tryServer} from '../mcp/try-server.ts';
import {type ProposedServer} from '../mcp/config-session.ts';
import {type SetUpEnd, type SetUpPart} from './gateway-setup.ts';

/** Adds a first tool server once it was tried. Flags answer before anybody is asked. */
export async function setUpServer(
	context: CommandContext,
	{config, change, dialog}: SetUpPart,
): Promise<SetUpEnd | undefined> {
	const {server: given} = context.flags;
	const asked =
		given === undefined ? await askForServer(context, {change, dialog}) : newServer([given, ...context.arguments], {});
	if (!asked) {
		return undefined;
	}

	assertFreeName(change.config, asked.name);
	const server = {name: asked.name, ...config.separateSecrets(asked, change)};
	const tried = await tryServer(context, {...config, server, dialog});
	change.setVariables(server.variables);
	change.config.set(['mcp_servers', server.name], tried.entry);
	return {command: `sluice mcp test ${server.name}`};
}

async function askForServer(
	context: CommandContext,
	{change, dialog}: Pick<SetUpPart, 'change' | 'dialog'>,
): Promise<ProposedServer | undefined> {
	for (;;) {
		const name = await dialog?.ask('Name of a first tool server (Enter for none)');
		if (!dialog || name === undefined || name === '') {
			return undefined;
		}

		const problem = nameProblem(name, change);
		if (problem !== undefined) {
			context.stderr(`${problem}\n`);
			continue;
		}

		const typed = parseNewServer(name, await dialog.ask('Its URL, or its command with arguments'));
		if (typed.kind === 'server') {
			const words = typed.server.kind === 'http' ? [typed.server.url] : [typed.server.command, ...typed.server.args];
			return newServer([name, ...words], {});
		}

		context.stderr(`${typed.text}\n`);
	}
}

function nameProblem(name: string, change: ProfileChange): string | undefined {
	try {
		checkServerName(name);
	} catch (error) {
		return error instanceof Problem ? error.message : undefined;
	}

	return isTakenName(change.config, name) ? 'That name is already in use.' : undefined;
}
