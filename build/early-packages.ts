import {relative} from 'node:path';
import type {OutputBundle, OutputChunk, Plugin} from 'rolldown';

/** The packages and own modules that must not be loaded together with a module, by their paths in the repository. */
export type LatePackages = Readonly<Record<string, readonly string[]>>;

/**
Fails the build when a module brings one of these packages or modules with it, by its imports or because the bundler put both into one chunk. What is imported
by a call counts as later (docs/performance.md, Dashboard).
*/
export const refuseEarlyPackages = (late: LatePackages): Plugin => ({
	name: 'early-packages',
	generateBundle(_options, bundle) {
		for (const [module, packages] of Object.entries(late)) {
			const start = chunksOf(bundle).find(chunk => chunk.moduleIds.some(id => inRepository(id) === module));
			if (!start) {
				this.error(`${module} is in no chunk`);
			}

			for (const [name, chunks] of earlyPackages(bundle, start)) {
				if (packages.includes(name)) {
					this.error(`${module} loads ${name}, which is for later: ${chunks.join(' → ')}`);
				}
			}
		}
	},
});

function chunksOf(bundle: OutputBundle): readonly OutputChunk[] {
	return Object.values(bundle).filter(file => file.type === 'chunk');
}

function inRepository(id: string): string {
	return relative(process.cwd(), id).replaceAll('\\', '/');
}

/** Each package and own module that is loaded with a chunk, with the chunks that lead to it. */
function earlyPackages(bundle: OutputBundle, start: OutputChunk): ReadonlyMap<string, readonly string[]> {
	const byName = new Map(chunksOf(bundle).map(chunk => [chunk.fileName, chunk]));
	const ways = new Map([[start.fileName, [start.fileName]]]);
	const found = new Map<string, readonly string[]>();
	for (const [fileName, way] of ways) {
		const chunk = byName.get(fileName);
		for (const name of (chunk?.moduleIds ?? []).map(nameOf)) {
			if (!found.has(name)) {
				found.set(name, way);
			}
		}

		for (const next of chunk?.imports ?? []) {
			if (!ways.has(next)) {
				ways.set(next, [...way, next]);
			}
		}
	}

	return found;
}

/** The package a module is part of, or its own path. */
function nameOf(id: string): string {
	const packageName = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]?.replaceAll('\\', '/');
	return packageName ?? inRepository(id);
}
