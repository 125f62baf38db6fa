import {fileURLToPath} from 'node:url';

/** The path of a file among the fixtures. */
export function fixture(name: string): string {
	return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

/** The arguments of Node.js that run a fixture. */
export function fixtureArguments(name: string, ...args: readonly string[]): string[] {
	return ['--import', fixture('compile-cache.js'), fixture(name), ...args];
}
