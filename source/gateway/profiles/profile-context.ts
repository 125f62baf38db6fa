import {type Environment} from '../../config/read/environment.ts';
import {loadConfig, type LoadedConfig} from '../../config/read/load-config.ts';
import {ensureStateDirectory} from '../../config/read/state-directory.ts';
import {type StatePaths} from '../../config/read/state-paths.ts';
import {createExpand} from '../../config/secrets/variables.ts';
import {fileStamp} from '../../config/values/text-file.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {type ConfigInForce, type Publish} from '../../state/event.ts';
import {type Clock} from '../../util/clock.ts';
import {type Problem, problemLine} from '../../util/problem.ts';
import {type Redactor} from '../../util/redact.ts';
import {safeText} from '../../util/safe-text.ts';

/** The parts that all profiles of a gateway share. */
export type RuntimeContext = {
	readonly paths: StatePaths;
	readonly environment: Environment;
	readonly clock: Clock;
	readonly eventBus: EventBus;
	readonly redactor: Redactor;
	readonly version: string;
};

/** The configuration in force, read again by `reload`. */
export type ProfileContext = RuntimeContext & {
	readonly publish: Publish;
	readonly current: () => LoadedConfig;
	/** The stamp of config.yaml just before it was read for the first time. */
	readonly firstStamp: string;
	/** Replaces `${…}` references by their present values. */
	readonly expand: (text: string) => string;
	/** Reads the files again. An unusable file changes nothing: what ran goes on. Logs every problem. */
	readonly reload: () => Promise<LoadedConfig>;
	/** The problem of the latest config.yaml or its rules; undefined if both could be used. */
	readonly unusable: () => Problem | undefined;
	/** The part in force instead of one that could not be used; undefined if all could, and while all of the former configuration holds. */
	readonly inForce: () => ConfigInForce | undefined;
};

/** Publishes `config.state` or not: dashboards have one line for it, which belongs to the first profile. */
type LoadProfileOptions = {readonly banner: 'shown' | 'hidden'};

/** Makes the folders and reads the configuration. Rejects with `config_unreadable` when the state directory cannot be used. */
export async function loadProfile(
	runtime: RuntimeContext,
	options: LoadProfileOptions = {banner: 'shown'},
): Promise<ProfileContext> {
	const publish = runtime.eventBus.publishFor(runtime.paths.profile);
	await ensureStateDirectory(runtime.paths);
	let unusable: Problem | undefined;
	let inForce: ConfigInForce | undefined;
	const read = async (former?: LoadedConfig) => {
		const loaded = await loadConfig(runtime);
		unusable = flawOf(loaded);
		inForce = unusable && inForceInstead(loaded, former);
		loaded.secrets.values.forEach(runtime.redactor.learn);
		logProblems(loaded, publish, runtime.paths.directory);
		if (options.banner === 'shown') {
			publishState(loaded, {publish, directory: runtime.paths.directory, inForce});
		}

		return loaded;
	};

	const firstStamp = fileStamp(runtime.paths.config);
	let current = await read();
	return {
		...runtime,
		publish,
		firstStamp,
		current: () => current,
		unusable: () => unusable,
		inForce: () => inForce,
		expand: text => createExpand(current.secrets, runtime.environment)(text),
		async reload() {
			const loaded = await read(current);
			if (loaded.file !== 'unusable') {
				current = withUsableApprovals(loaded, current);
			}

			return current;
		},
	};
}

/** For commands that end with their answer: without a readable configuration there is none. Throws its first problem. */
export function refuseUnusable({current}: ProfileContext): void {
	const loaded = current();
	const flaw = flawOf(loaded);
	if (flaw && loaded.file === 'unusable') {
		throw flaw;
	}
}

/** The problem of the file or of its rules. */
function flawOf({config}: LoadedConfig): Problem | undefined {
	return config.rules.kind === 'invalid' ? config.rules.problem : undefined;
}

/** Rules that cannot be read do not replace those that hold (docs/rules.md, Mistakes in rules). */
function withUsableApprovals(loaded: LoadedConfig, {config: {approvals, rules}}: LoadedConfig): LoadedConfig {
	return loaded.config.rules.kind === 'invalid' && rules.kind === 'valid'
		? {...loaded, config: {...loaded.config, approvals, rules}}
		: loaded;
}

function logProblems(loaded: LoadedConfig, publish: Publish, directory: string): void {
	for (const problem of loaded.config.problems) {
		publish({type: 'log', level: problem.level, area: 'config', text: safeText(problemLine(problem, directory))});
	}
}

/** The configuration in force instead of an unusable file or unusable rules. Before the first usable ones there are none to fall back to. */
function inForceInstead(loaded: LoadedConfig, former: LoadedConfig | undefined): ConfigInForce | undefined {
	if (loaded.file === 'unusable') {
		return !former || former.file === 'unusable' ? 'nothing' : undefined;
	}

	return former?.config.rules.kind === 'valid' ? 'former-rules' : 'no-tool-calls';
}

function publishState(
	loaded: LoadedConfig,
	{
		publish,
		directory,
		inForce,
	}: {readonly publish: Publish; readonly directory: string; readonly inForce: ConfigInForce | undefined},
): void {
	const flaw = flawOf(loaded);
	const reason = flaw && safeText(problemLine(flaw, directory));
	publish({
		type: 'config.state',
		state: flaw ? 'unusable' : loaded.file,
		...(reason !== undefined && {reason}),
		...(inForce && {inForce}),
	});
}
