import {type ReloadJson} from '../../state/json/gateway.ts';
import {reloadLines} from '../../gateway/services/reload-summary.ts';
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
		} else if (unusable.every(isOnlyRules)) {
			stdout(
				reloadLines(summary)
					.map(line => `${line}\n`)
					.join(''),
			);
		}

		return unusable.length === 0 ? 0 : 1;
	});
}

type Unusable = NonNullable<ReloadJson['unusable']>[number];

/** True if everything but the rules of a file was applied. */
function isOnlyRules({in_force: inForce}: Unusable): boolean {
	return inForce === 'former-rules' || inForce === 'no-tool-calls';
}

const inForceTexts = {
	everything: 'The previous configuration stays in force.',
	nothing: 'None of it is in force.',
	'former-rules': 'The previous rules stay in force; everything else was applied.',
	'no-tool-calls': 'Every tool call is refused until that is corrected; everything else was applied.',
} as const;

function unusableText({profile, message, remedy, in_force: inForce}: Unusable): string {
	const where = profile === 'default' ? '' : `Profile ${profile}: `;
	const lines = [`sluice: ${safeText(`${where}${message}`)}`, safeText(remedy), inForceTexts[inForce ?? 'everything']];
	return `${lines.join('\n        ')}\n`;
}
