import {childEnvironment} from '../../mcp/transport/child-environment.ts';
import {type ProfileFiles, type ScriptSettings} from '../../webhooks/script/script.ts';
import {type ProfileContext} from './profile-context.ts';

/** Script settings, secrets and files of the served profiles, by name (docs/configuration.md, Profiles). */
export function profileScripts(
	[first, ...others]: readonly [ProfileContext, ...ProfileContext[]],
	guard: ScriptSettings['guard'],
): {
	readonly scripts: ScriptSettings;
	/** Expands references with the secrets of the named profile; of the first one without a name. */
	readonly expand: (text: string, profile?: string) => string;
	/** True if another profile of that name is served, too. */
	readonly serves: (name: string) => boolean;
	readonly otherProfile: (name: string) => ProfileFiles | undefined;
} {
	const otherOf = (name: string | undefined) => others.find(other => other.paths.profile === name);
	return {
		scripts: scriptSettings(first, guard),
		expand: (text, profile) => (otherOf(profile) ?? first).expand(text),
		serves: name => otherOf(name) !== undefined,
		otherProfile(name) {
			const other = otherOf(name);
			return other && {directory: other.paths.directory, scripts: scriptSettings(other, guard)};
		},
	};
}

/** Folder, interpreter and environment of route scripts (docs/webhook-routes.md, Scripts). */
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
