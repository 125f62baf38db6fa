import {childEnvironment} from '../mcp/child-environment.ts';
import {type ScriptSettings} from '../webhooks/script.ts';
import {type Foundation} from './foundation.ts';

/** Where the scripts of routes lie, what runs them and what they inherit (spec/decisions.md, D8 Scripts). */
export function scriptSettings(
	{paths, current, environment}: Foundation,
	guard: ScriptSettings['guard'],
): ScriptSettings {
	return {
		directory: paths.scripts,
		python: () => current().secrets.variables('SLUICE_PYTHON') ?? 'python3',
		environment: childEnvironment(environment.variables, {}),
		guard,
	};
}
