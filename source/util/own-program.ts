/** A thread or process of ours: the program beside the module at `moduleUrl`, TypeScript in the source tree, JavaScript once built. */
export function ownProgram(name: string, moduleUrl: string): URL {
	return new URL(`./${name}.${moduleUrl.endsWith('.ts') ? 'ts' : 'js'}`, moduleUrl);
}
