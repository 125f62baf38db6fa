import {homedir, tmpdir} from 'node:os';
import {isAbsolute, join} from 'node:path';

/** The environment of the process. */
export type Environment = {
	readonly variables: Readonly<Record<string, string>>;
	/** The home folder; empty or relative where `HOME` is. */
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
	// A relative path counts as none (XDG Base Directory Specification, Basics).
	const runtime = variables['XDG_RUNTIME_DIR'] ?? '';
	return {
		variables,
		home: homedir(),
		sluiceHome: variables['SLUICE_HOME'] || undefined,
		runtimeDirectory: isAbsolute(runtime) ? runtime : join(tmpdir(), `sluice-${process.getuid?.() ?? 0}`),
		workingDirectory: process.cwd(),
		noColor: Boolean(variables['NO_COLOR']),
	};
}
