import {Problem, toProblem} from '../../util/problem.ts';
import {configuredSecrets} from '../secrets/configured-secrets.ts';
import {createExpand, readSecretScope, type SecretScope} from '../secrets/variables.ts';
import {createProblemList, type Locate} from '../values/problem-list.ts';
import {type Environment} from './environment.ts';
import {type ConfigFile, parseConfigText, readConfigFile} from './file.ts';
import {type GatewayConfig, parseConfig} from './gateway-config.ts';
import {type StatePaths} from './state-paths.ts';

/** A configuration and the result of reading its file. An unusable file yields the defaults; a caller with an older configuration keeps using that. */
export type ConfigReading = {
	readonly config: GatewayConfig;
	readonly file: 'read' | 'absent' | 'unusable';
};

/** A configuration, the result of reading its file, and the secrets of its profile; `secrets.values` includes those of the configuration. */
export type LoadedConfig = ConfigReading & {readonly secrets: SecretScope};

/** Loads config.yaml and `.env` of a profile. Never throws for their content: see `config.problems`. A missing file is empty. */
export async function loadConfig(options: {
	readonly paths: Pick<StatePaths, 'config' | 'env'>;
	readonly environment: Pick<Environment, 'variables' | 'home' | 'workingDirectory'>;
}): Promise<LoadedConfig> {
	const {paths, environment} = options;
	const {scope, problems} = await readSecretScope(paths.env, environment);
	const {config, file} = await readConfig(paths.config, scope.variables);
	const written = configuredSecrets(config, {
		variables: scope.variables,
		expand: createExpand(scope, environment),
	});
	return {
		config: {...config, problems: [...problems, ...config.problems]},
		file,
		secrets: {...scope, values: [...scope.values, ...written]},
	};
}

type Variables = (name: string) => string | undefined;

/** Reads the configuration at `path`. Never throws for its content: see the problems. A missing file is an empty configuration. */
export async function readConfig(path: string, variables: Variables): Promise<ConfigReading> {
	return interpret(path, await readConfigFile(path), variables);
}

/** Does the same for a text; `path` is used only in problems. */
export function readConfigText(path: string, text: string, variables: Variables): ConfigReading {
	return interpret(path, parseConfigText(path, text), variables);
}

function interpret(path: string, file: ConfigFile, variables: Variables): ConfigReading {
	const parse = (value: unknown, locate?: Locate) =>
		parseConfig(value, {section: {problems: createProblemList({file: path, locate}), path: []}, variables});
	switch (file.kind) {
		case 'absent':
			return {config: parse(undefined), file: 'absent'};
		case 'unusable':
			return unusable(parse(undefined), file.problems);
		case 'read':
			try {
				return {config: withProblems(parse(file.value, file.locate), file.warnings), file: 'read'};
			} catch (error) {
				const problem = toProblem(error, 'config_invalid', {message: `${path} cannot be read as a configuration`});
				return unusable(parse(undefined), [problem]);
			}
	}
}

/** Defaults, and no rules to rely on: the file may have some. */
function unusable(defaults: GatewayConfig, problems: readonly Problem[]): ConfigReading {
	const problem = problems.find(({level}) => level === 'error') ?? new Problem('config_syntax');
	return {config: {...withProblems(defaults, problems), rules: {kind: 'invalid', problem}}, file: 'unusable'};
}

function withProblems(config: GatewayConfig, problems: readonly Problem[]): GatewayConfig {
	return {...config, problems: [...problems, ...config.problems]};
}
