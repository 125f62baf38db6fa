import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {noWords} from '../cli/words.ts';

/** `sluice version [--json]`: the version of the program. */
export async function runVersion(context: CommandContext, version: string): Promise<ExitCode> {
	noWords(context, 'sluice version [--json]');
	context.stdout(context.flags.json ? jsonDocument({version}) : `${version}\n`);
	return 0;
}
