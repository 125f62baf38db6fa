import {type RuleJson} from '../../state/json/rule.ts';
import {storedPrefix} from '../../approvals/stored-rules.ts';
import {type ResultOf} from '../../state/api.ts';
import {ruleTable} from '../../state/entities/rule.ts';
import {shownId} from '../../util/id-part.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {readArguments} from '../cli/json-arguments.ts';
import {splitToolName} from '../cli/tool-name.ts';
import {jsonDocument, printRows} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {runShow} from '../cli/show-row.ts';
import {type CommandApi, type OpenOwnApi, withApi} from '../cli/connect-gateway.ts';

type TestedCall = {readonly server: string; readonly tool: string; readonly arguments: JsonObject};

const usage =
	'Usage: sluice rules list [--json] | remove ID [--json] | test SERVER/TOOL|--server NAME --tool NAME [--args JSON|@FILE|-] [--json]';

/** The servers of the configuration. `findServer` rejects with `unknown_server` for a name that none has. */
type ServerLookup = {
	readonly findServer?: (name: string) => Promise<string>;
	readonly serverNames?: () => Promise<readonly string[]>;
};

/** `sluice rules list|remove|test`: the rules of config.yaml and remembered approvals; a running gateway also knows those of its session. */
export function runApprovalRules(
	context: CommandContext,
	openOwn: OpenOwnApi,
	{findServer, serverNames}: ServerLookup = {},
): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [action = 'list', ...words] = context.arguments;
		const [id] = words;
		if (action === 'list' && words.length === 0) {
			return withApi(context, openOwn, rules => list(context, rules));
		}

		if (action === 'revoke' && id !== undefined && words.length === 1) {
			return withApi(context, openOwn, rules => revoke(context, rules, id));
		}

		if (action === 'test' && words.length <= 1) {
			const call = await testedCall(context, id, serverNames);
			const code = await withApi(context, openOwn, rules => testCall(context, rules, call));
			await warnOfServer(context, call.server, findServer);
			return code;
		}

		throw new Problem('bad_usage', {message: usage});
	});
}

/** `sluice rules show ID`: one rule. */
export function runRulesShow(context: CommandContext, openOwn: OpenOwnApi): Promise<ExitCode> {
	return runShow(context, {
		noun: 'rule',
		usage: 'sluice rules show ID [--json]',
		rows: () => withApi(context, openOwn, ({call}) => call('rules.list', {})),
	});
}

/** The call that flags name, or a word of the form `SERVER/TOOL`; a tool of an unknown server may be tried too. */
async function testedCall(
	{flags: {server, tool = '', args}, signal}: CommandContext,
	word: string | undefined,
	serverNames: ServerLookup['serverNames'],
): Promise<TestedCall> {
	const typed = word ?? tool;
	const isSplit = server === undefined && (word === undefined || tool === '');
	const named = isSplit ? splitToolName(typed, (await serverNames?.()) ?? []) : {server, tool};
	if (!named?.server || !named.tool || (!isSplit && word !== undefined)) {
		throw new Problem('bad_usage', {message: usage});
	}

	return {server: named.server, tool: named.tool, arguments: await readArguments(args, signal)};
}

async function testCall(context: CommandContext, rules: CommandApi, call: TestedCall): Promise<ExitCode> {
	const result = await rules.call('rules.test', call);
	if (context.flags.json) {
		context.stdout(jsonDocument(result));
		return 0;
	}

	const words = (await rules.call('rules.list', {})).find(({id}) => id === result.rule)?.words ?? '';
	context.stdout(`${safeText(testText(result, words))}\n`);
	return 0;
}

/** A rule may be tried before its server is added, but a name is easily mistyped. Built-in tools and hooks of other programs have names of their own. */
async function warnOfServer(
	context: CommandContext,
	name: string,
	findServer: ((name: string) => Promise<string>) | undefined,
): Promise<void> {
	if (name !== 'sluice' && !name.startsWith('hook:')) {
		await findServer?.(name).catch((caught: unknown) => context.stderr(`sluice: ${toProblem(caught).message}\n`));
	}
}

function testText({verdict, rule, undecided}: ResultOf<'rules.test'>, words: string): string {
	if (verdict === 'none') {
		return 'No rule applies: trust and remembered approvals decide';
	}

	return `${verdict}: ${rule ?? ''} ${words}${undecided ? '; it is undecided if it applies' : ''}`;
}

async function list(context: CommandContext, rules: CommandApi): Promise<ExitCode> {
	await printRows(context, await rules.call('rules.list', {}), {
		...ruleTable,
		none: 'There are no rules and no remembered approvals.',
	});
	return 0;
}

async function revoke(context: CommandContext, rules: CommandApi, id: string): Promise<ExitCode> {
	const {answer} = await rules.call('rules.revoke', {id});
	if (context.flags.json) {
		context.stdout(jsonDocument({id, answer}));
	}

	switch (answer) {
		case 'revoked':
			context.stderr('Removed. It no longer decides about calls.\n');
			return 0;
		case 'unknown':
			context.stderr(unknownText(id, await rules.call('rules.list', {})));
			return 1;
		case 'configured':
			context.stderr('sluice: This rule is in config.yaml; remove it there, under `approvals.rules`.\n');
			return 1;
		case 'failed':
			context.stderr(
				'sluice: Removed for now, but the removal could not be stored; it will apply again after a restart.\n',
			);
			return 1;
	}
}

/** More ids nobody looks through; `rules list` has them all. */
const maxNamed = 10;

/** Hints at the ids that can be removed instead: stored rules and remembered approvals. */
function unknownText(id: string, rows: ResultOf<'rules.list'>): string {
	const removable = rows.filter(({source}) => source === 'stored');
	const isRule = (row: RuleJson) => row.id.startsWith(storedPrefix);
	const shown = safeText(id, {maximumCharacters: 100});
	return [
		`sluice: No stored rule or remembered approval has the id ${shown}.`,
		`Stored rules: ${idsText(removable.filter(isRule))}.`,
		`Remembered approvals: ${idsText(removable.filter(row => !isRule(row)))}.\n`,
	].join(' ');
}

function idsText(rows: readonly RuleJson[]): string {
	const ids = rows.slice(0, maxNamed).map(row => shownId(row.id));
	const more = rows.length - ids.length;
	return ids.length === 0 ? 'none' : `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
