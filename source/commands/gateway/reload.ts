import {type ReloadJson} from '../../control/wire.ts';
import {reloadLines} from '../../gateway/reload-summary.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {withRunning} from '../cli/connect-gateway.ts';
import {jsonDocument} from '../cli/listing.ts';
import {runCommand} from '../cli/run-command.ts';
import {noWords} from '../cli/words.ts';

/** `sluice reload [--json]`: the running gateway reads its files again; prints what changed, or why config.yaml cannot be used. */
export function runReload(context: CommandContext): Promise<ExitCode> {
	return runCommand(context, async () => {
		noWords(context, 'sluice reload [--json]');
		const {signal, flags, stdout, stderr} = context;
		const summary = await withRunning(context, client => client.call('reload', {}, {signal}));

		const {unusable = []} = summary;
		unusable.forEach(file => stderr(unusableText(file)));
		if (flags.json) {
			stdout(jsonDocument({...summary, unusable}));
		} else if (unusable.length === 0) {
			stdout(
				reloadLines(summary)
					.map(line => `${line}\n`)
					.join(''),
			);
		}

		return unusable.length === 0 ? 0 : 1;
	});
}

function unusableText({profile, message, remedy}: NonNullable<ReloadJson['unusable']>[number]): string {
	const where = profile === 'default' ? '' : `Profile ${profile}: `;
	return `sluice: ${safeText(`${where}${message}`)}\n        ${safeText(remedy)}\n        What ran before goes on.\n`;
}
