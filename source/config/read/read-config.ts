import {type Problem, toProblem} from '../../util/problem.ts';
import {type ConfigFile, parseConfigText, readConfigFile} from './file.ts';
import {type GatewayConfig} from './gateway-config.ts';
import {parseConfig} from './parse-config.ts';
import {createProblemList, type Locate} from '../values/problem-list.ts';

/** A configuration with what became of its file. An unusable file leaves the defaults: whoever has an older configuration keeps it. */
export type ConfigReading = {
	readonly config: GatewayConfig;
	readonly file: 'read' | 'absent' | 'unusable';
};

type Variables = (name: string) => string | undefined;

/** Reads the configuration at `path`. Never throws for what stands in it: see the problems. A missing file is an empty configuration. */
export async function readConfig(path: string, variables: Variables): Promise<ConfigReading> {
	return interpret(path, await readConfigFile(path), variables);
}

/** The same for a text; `path` only names it in problems. */
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
			return {config: withProblems(parse(undefined), file.problems), file: 'unusable'};
		case 'read':
			try {
				return {config: withProblems(parse(file.value, file.locate), file.warnings), file: 'read'};
			} catch (error) {
				const problem = toProblem(error, 'config_invalid', {message: `${path} cannot be understood`});
				return {config: withProblems(parse(undefined), [problem]), file: 'unusable'};
			}
	}
}

function withProblems(config: GatewayConfig, problems: readonly Problem[]): GatewayConfig {
	return {...config, problems: [...problems, ...config.problems]};
}
