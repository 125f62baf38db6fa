import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';

/** The environment of the process. */
export type Environment = {
	readonly variables: Readonly<Record<string, string>>;
	readonly home: string;
	/** `SLUICE_HOME`, when set. */
	readonly sluiceHome?: string;
	/** A folder for sockets that belongs to this user alone; it may not exist yet. */
	readonly runtimeDirectory: string;
	readonly workingDirectory: string;
	readonly noColor: boolean;
};

/** Reads the environment of the process once, at start; no other code reads it. */
export function readEnvironment(): Environment {
	const variables = Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);
	return {
		variables,
		home: homedir(),
		sluiceHome: variables['SLUICE_HOME'] || undefined,
		runtimeDirectory: variables['XDG_RUNTIME_DIR'] || join(tmpdir(), `sluice-${process.getuid?.() ?? 0}`),
		workingDirectory: process.cwd(),
		noColor: Boolean(variables['NO_COLOR']),
	};
}
