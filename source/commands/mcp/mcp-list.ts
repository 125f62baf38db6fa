import {serverTable, tokenizer, tokensText} from '../../state/entities/server.ts';
import {isLongDescription, toolTable} from '../../state/entities/tool.ts';
import {type ServerJson, type ToolJson} from '../../state/json/server.ts';
import {unnamedStep} from '../../state/next-action.ts';
import {Problem} from '../../util/problem.ts';
import {safeText, shownName} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {printRows, widestCell} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {runShow} from '../cli/show-row.ts';
import {noWords} from '../cli/words.ts';
import {outputLines} from './probe-text.ts';
import {type CommandApi, type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';

/** `sluice mcp list [--json]`: the tool servers with their states. */
export function runMcpList(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice mcp list [--json]');
		const servers = await withApi(context, openOwn, ({call}) => call('mcp.list', {count: 'tokens'}));
		const hasProfiles = new Set(servers.map(({profile}) => profile)).size > 1;
		await printRows(
			context,
			servers.map(server => typed(context, server)),
			{
				...serverTable(hasProfiles ? 'several' : 'one', server =>
					fits(server) ? reasonCell(server) : (server.reason ?? ''),
				),
				below: linesBelow,
				end: costLines(servers.map(({tokens, tokens_by_client: byClient}) => ({tokens, byClient}))),
				none: 'No tool servers are configured. Add one with `sluice mcp add NAME URL`.',
			},
		);
		return 0;
	});
}

/** `sluice mcp show NAME`: one tool server. */
export function runMcpShow(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runShow(context, {
		noun: 'server',
		usage: 'sluice mcp show NAME [--json]',
		rows: () => withApi(context, openOwn, ({call}) => call('mcp.list', {count: 'tokens'})),
	});
}

/** `sluice mcp tools [SERVER] [--json]`: the registered tools and what a call of each would meet at the approval check. */
export function runMcpTools(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [server, ...rest] = context.arguments;
		if (rest.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice mcp tools [SERVER] [--json]'});
		}

		const tools = await withApi(context, openOwn, api => toolsOf(api, server));
		await printRows(context, tools, {
			...toolTable,
			below: longDescription,
			end: costLines(
				tools.map(({tokens, clients}) => ({
					tokens,
					byClient: Object.fromEntries(clients.map(name => [name, tokens ?? 0])),
				})),
			),
			none: 'No tools are registered. See `sluice mcp list` for the servers.',
		});
		return 0;
	});
}

/** The tools of a server, or all. Rejects with `unknown_server` for a name that none has. */
async function toolsOf({call}: CommandApi, server: string | undefined): Promise<readonly ToolJson[]> {
	const tools = await call('mcp.tools', {...(server !== undefined && {server}), count: 'tokens'});
	if (server !== undefined && tools.length === 0) {
		const names = (await call('mcp.list', {})).map(({name}) => name);
		if (!names.includes(server)) {
			const {unknownServer} = await import('./config-session.ts');
			throw unknownServer(server, names);
		}
	}

	return tools;
}

/** The server with commands that one can type as they are. */
function typed({nameCommands}: CommandContext, server: ServerJson): ServerJson {
	const {reason, next_action: next} = server;
	return {
		...server,
		reason: reason === null ? null : nameCommands(reason),
		next_action: next === null ? null : nameCommands(next),
	};
}

function reasonCell({reason, next_action: next}: ServerJson): string {
	return [reason, unnamedStep(next, reason)].filter(Boolean).join(' · ');
}

function fits(server: ServerJson): boolean {
	return reasonCell(server).length <= widestCell;
}

/** Commands that the cell would cut, the variables of its file, and the last stderr of a server that does not run. */
function linesBelow(server: ServerJson): readonly string[] {
	const {reason, file_variables: names, stderr, log} = server;
	const next = unnamedStep(server.next_action, reason);
	const isCut = reason !== null && reason.length > widestCell;
	return [
		...(isCut ? [`  reason: ${safeText(reason)}`] : []),
		...(next === undefined || fits(server) ? [] : [`  next: ${safeText(next)}`]),
		...(names.length === 0 ? [] : [`  env_file: ${safeText(names.join(', '))}`]),
		...outputLines({stderr: stderr.slice(-1), log}),
	];
}

/** The line about what lists cost a model: all of it, and by client; none while nothing is counted. */
function costLines(
	rows: ReadonlyArray<{readonly tokens: number | null; readonly byClient: Readonly<Record<string, unknown>>}>,
): readonly string[] {
	const sums = new Map<string, number>();
	for (const {byClient} of rows) {
		for (const [name, tokens] of Object.entries(byClient)) {
			sums.set(name, (sums.get(name) ?? 0) + Number(tokens));
		}
	}

	const all = rows.reduce((sum, {tokens}) => sum + (tokens ?? 0), 0);
	const clients = [...sums].map(([name, tokens]) => `${shownName(name)} ${tokens.toLocaleString('en-US')}`);
	return all === 0
		? []
		: [
				`Their definitions cost a model ${tokensText(all)}, by ${tokenizer}. By client: ${clients.join(', ') || 'none'}`,
			];
}

function longDescription({description}: ToolJson): readonly string[] {
	return isLongDescription(description)
		? [`  its description has ${Math.ceil(Buffer.byteLength(description) / 1024)} KB; programs may cut it at 2 KB`]
		: [];
}
