import {type Environment} from '../config/environment.ts';
import {loadConfig, type LoadedConfig} from '../config/load-config.ts';
import {variableScope} from '../config/secret-scope.ts';
import {ensureStateDirectory} from '../config/state-directory.ts';
import {type StatePaths} from '../config/state-paths.ts';
import {expandVariables} from '../config/variables.ts';
import {fileStamp} from '../config/file-stamp.ts';
import {type Hall} from '../state/hall.ts';
import {type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {Problem, problemLine} from '../util/problem.ts';
import {type Redactor} from '../util/redact.ts';
import {safeText} from '../util/safe-text.ts';

/** What every part of a gateway stands on. */
export type Ground = {
	readonly paths: StatePaths;
	readonly environment: Environment;
	readonly clock: Clock;
	readonly hall: Hall;
	readonly redactor: Redactor;
	readonly version: string;
};

/** The configuration in force, read anew by `reload`. */
export type Foundation = Ground & {
	readonly publish: Publish;
	readonly current: () => LoadedConfig;
	/** The stamp of config.yaml just before it was read for the first time. */
	readonly firstStamp: string;
	/** Replaces `${…}` references by what they stand for now. */
	readonly expand: (text: string) => string;
	/** Reads the files again. An unusable file changes nothing: what ran goes on. Tells every problem as a log event. */
	readonly reload: () => Promise<LoadedConfig>;
};

/** Whether `config.state` is told: windows have one line for it, which belongs to the first profile. */
export type FoundationOptions = {readonly banner: 'told' | 'untold'};

/** Makes the folders and reads the configuration. Rejects with `config_unreadable` when the state directory cannot be used. */
export async function layFoundation(
	ground: Ground,
	options: FoundationOptions = {banner: 'told'},
): Promise<Foundation> {
	const publish = ground.hall.publishFor(ground.paths.profile);
	await ensureStateDirectory(ground.paths);
	const read = async (former?: LoadedConfig) => {
		const loaded = await loadConfig(ground);
		loaded.secrets.values.forEach(ground.redactor.learn);
		tellProblems(loaded, publish, ground.paths.directory);
		if (options.banner === 'told') {
			tellState(loaded, {publish, directory: ground.paths.directory, former});
		}

		return loaded;
	};

	const firstStamp = fileStamp(ground.paths.config);
	let current = await read();
	return {
		...ground,
		publish,
		firstStamp,
		current: () => current,
		expand: text => expandVariables(text, variableScope(current.secrets, ground.environment)),
		async reload() {
			const loaded = await read(current);
			if (loaded.file !== 'unusable') {
				current = loaded;
			}

			return current;
		},
	};
}

/** For commands that end with their answer: without a readable configuration there is none. Throws its first problem. */
export function refuseUnusable({current}: Foundation): void {
	const {file, config} = current();
	if (file === 'unusable') {
		throw config.problems.find(problem => problem.level === 'error') ?? new Problem('config_syntax');
	}
}

function tellProblems(loaded: LoadedConfig, publish: Publish, directory: string): void {
	for (const problem of loaded.config.problems) {
		publish({type: 'log', level: problem.level, area: 'config', text: safeText(problemLine(problem, directory))});
	}
}

function tellState(
	loaded: LoadedConfig,
	{publish, directory, former}: {readonly publish: Publish; readonly directory: string; readonly former?: LoadedConfig},
): void {
	const flaw = loaded.file === 'unusable' ? loaded.config.problems.find(({level}) => level === 'error') : undefined;
	const reason = flaw && safeText(problemLine(flaw, directory));
	// Until a file could be used, there is nothing to go on with.
	const isFirst = !former || former.file === 'unusable';
	publish({
		type: 'config.state',
		state: loaded.file,
		...(reason !== undefined && {reason, ...(isFirst && {inForce: 'nothing' as const})}),
	});
}
