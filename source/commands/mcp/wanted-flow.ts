import {type LoginFlow} from '../../config/servers/oauth-entry.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command-context.ts';

/** The flow of `--flow`. Throws `bad_usage` for any other word. */
export function wantedFlow({flags: {flow}}: CommandContext): LoginFlow | undefined {
	if (flow === undefined || flow === 'device' || flow === 'browser') {
		return flow;
	}

	throw new Problem('bad_usage', {message: '--flow is device or browser'});
}
