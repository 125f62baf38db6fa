import {type ToolJson} from '../../state/json/server.ts';
import {Problem} from '../../util/problem.ts';
import {toolText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';

/**
Lists every tool that would run without any question, and asks; `--yes` does not answer it. Throws `bad_usage` without a terminal.
Sluice itself goes on asking about all others.
*/
export async function isTrustConfirmed(context: CommandContext, title: string, openOwn: OpenOwnApi): Promise<boolean> {
	const tools = await withApi(context, openOwn, ({call}) => call('mcp.tools', {}));
	context.stderr(trustText(title, tools));
	const answer = await context.confirm(`Let ${title} run the tools of Sluice without asking?`);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {
			message: '--trust asks a question of its own, which needs a terminal; --yes does not answer it',
			remedy: 'Run the command in a terminal, or leave out --trust',
		});
	}

	return answer === 'yes';
}

function trustText(title: string, tools: readonly ToolJson[]): string {
	const free = tools.filter(({approval}) => approval !== 'ask');
	const asking = tools.length - free.length;
	const rows = free.map(tool => {
		const notes = [
			tool.read_only ? 'reads only' : 'may change something',
			...(tool.approval === 'remembered' ? ['allowed before'] : []),
		];
		return `  ${toolText(tool)}  (${notes.join(', ')})\n`;
	});
	const head =
		free.length === 0
			? 'No tool would run without a question now.\n'
			: `${free.length === 1 ? 'This tool' : `These ${free.length} tools`} would run without any question, of ${title} or of Sluice:\n`;
	return `${head}${rows.join('')}${asking === 0 ? '' : `Sluice asks about the other ${asking}.\n`}Tools that are added later count too; only the tools of Sluice do.\n`;
}
