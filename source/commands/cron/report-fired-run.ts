import {type FiredJobJson} from '../../control/cron-wire.ts';
import {safeText} from '../../util/safe-text.ts';
import {type CommandContext, type ExitCode} from '../cli/command-context.ts';
import {jsonDocument} from '../cli/json-document.ts';

/** Tells what became of a firing. */
export function reportFiredRun(context: CommandContext, fired: FiredJobJson): ExitCode {
	if (context.flags.json) {
		context.stdout(jsonDocument(fired));
	} else if (fired.outcome === 'fired') {
		context.stderr(`Fired: run ${fired.run_id}\n`);
	} else {
		context.stderr(`sluice: Not run: ${safeText(fired.reason ?? '')}\n`);
	}

	return fired.outcome === 'fired' ? 0 : 1;
}
