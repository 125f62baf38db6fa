import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {onlyWord} from '../cli/words.ts';

/** Gives a role of the journal's database the rights of a console. */
export type GrantConsole = (
	role: string,
	signal: AbortSignal,
) => Promise<{
	readonly role: string;
	readonly host: string;
	readonly schema: string;
	readonly views: readonly string[];
	readonly functions: readonly string[];
}>;

/** `sluice journal grant-console ROLE [--json]` (docs/deployment.md, Consoles on the database). */
export function runGrantConsole(context: CommandContext, grantConsole: GrantConsole): Promise<ExitCode> {
	return runCommand(context, async () => {
		const role = onlyWord(context, 'sluice journal grant-console ROLE [--json]');
		const granted = await grantConsole(role, context.signal);
		if (context.flags.json) {
			context.stdout(jsonDocument(granted));
		}

		const {schema, host, views, functions} = granted;
		context.stderr(
			safeText(
				`${role} may read ${views.join(', ')} and call ${functions.map(name => `${name}()`).join(', ')} in schema ${schema} of the database on ${host}, and nothing else there.`,
			) + '\n',
		);
		return 0;
	});
}
