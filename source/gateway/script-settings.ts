import {childEnvironment} from '../mcp/transport/child-environment.ts';
import {type ScriptSettings} from '../webhooks/script/script.ts';
import {type ProfileContext} from './profiles/profile-context.ts';

/** Where the scripts of routes lie, what runs them and what they inherit (docs/webhooks.md, Scripts). */
export function scriptSettings(
	{paths, current, environment}: ProfileContext,
	guard: ScriptSettings['guard'],
): ScriptSettings {
	return {
		directory: paths.scripts,
		python: () => current().secrets.variables('SLUICE_PYTHON') ?? 'python3',
		environment: childEnvironment(environment.variables, {}),
		guard,
	};
}
