import {configuredSecrets} from '../secrets/configured-secrets.ts';
import {type Environment} from './environment.ts';
import {type ConfigReading, readConfig} from './read-config.ts';
import {readSecretScope, type SecretScope, variableScope} from '../secrets/secret-scope.ts';
import {type StatePaths} from './state-paths.ts';
import {expandVariables} from '../secrets/variables.ts';

/** A configuration, what became of its file, and the secrets of its profile; `secrets.values` holds those of the configuration too. */
export type LoadedConfig = ConfigReading & {readonly secrets: SecretScope};

/** Loads config.yaml and `.env` of a profile. Never throws for what stands in them: see `config.problems`. A missing file is empty. */
export async function loadConfig(options: {
	readonly paths: Pick<StatePaths, 'config' | 'env'>;
	readonly environment: Pick<Environment, 'variables' | 'home' | 'workingDirectory'>;
}): Promise<LoadedConfig> {
	const {paths, environment} = options;
	const {scope, problems} = await readSecretScope(paths.env, environment);
	const {config, file} = await readConfig(paths.config, scope.variables);
	const references = variableScope(scope, environment);
	const {variables} = scope;
	const expand = (text: string) => expandVariables(text, references);
	const written = configuredSecrets(config, {variables, expand});
	return {
		config: {...config, problems: [...problems, ...config.problems]},
		file,
		secrets: {...scope, values: [...scope.values, ...written]},
	};
}
