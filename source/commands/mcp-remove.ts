import {type ProfileChange} from '../config/profile-change.ts';
import {valueAt} from '../config/plain-value.ts';
import {referencesIn} from '../config/variables.ts';
import {Problem} from '../util/problem.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {onlyWord} from './only-word.ts';
import {takeOver} from './take-over.ts';
import {type OpenWorkbench} from './workbench.ts';

/** Takes the tokens of a server away; answers whether there were any. */
export type ForgetTokens = (server: string) => Promise<'forgotten' | 'none'>;

/** `sluice mcp remove NAME`: takes a server out of config.yaml, with its tokens and the variables of `.env` that nothing else refers to. Asks first. */
export async function runMcpRemove(
	context: CommandContext,
	openWorkbench: OpenWorkbench,
	forgetTokens: ForgetTokens,
): Promise<ExitCode> {
	const typed = onlyWord(context, 'sluice mcp remove NAME [--keep-tokens] [--yes]');
	const bench = await openWorkbench();
	const name = bench.findServer(typed);
	const change = await bench.openChange();
	const before = referencesIn(valueAt(change.config.value(), ['mcp_servers', name]));
	change.config.remove(['mcp_servers', name]);
	const lonely = context.flags.keepTokens ? [] : lonelyVariables(change, before);
	if (!(await isWanted(context, name, lonely))) {
		context.stderr('Nothing was changed.\n');
		return 1;
	}

	change.removeVariables(lonely);
	await change.commit();
	const tokens = context.flags.keepTokens ? 'none' : await forgetTokens(name);
	const also = [...lonely.map(variable => `${variable} of .env`), ...(tokens === 'forgotten' ? ['its tokens'] : [])];
	context.stdout(`Removed ${name}${also.length === 0 ? '' : `, and ${also.join(', ')}`}.\n`);
	await takeOver(context);
	return 0;
}

/** Variables of `.env` that only the removed entry referred to. */
function lonelyVariables(change: ProfileChange, before: readonly string[]): readonly string[] {
	const elsewhere = referencesIn(change.config.value());
	return before.filter(name => change.variable(name) !== undefined && !elsewhere.includes(name));
}

async function isWanted(context: CommandContext, name: string, lonely: readonly string[]): Promise<boolean> {
	if (context.flags.yes) {
		return true;
	}

	const also = lonely.length === 0 ? '' : ` and ${lonely.join(', ')} of .env, which nothing else uses`;
	const answer = await context.confirm(`Remove ${name}${also}?`);
	if (answer === 'no-terminal') {
		throw new Problem('bad_usage', {message: 'Without a terminal a removal needs --yes'});
	}

	return answer === 'yes';
}
