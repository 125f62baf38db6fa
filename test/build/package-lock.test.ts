import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {z} from 'zod';

const lockedSchema = z.object({
	version: z.string().optional(),
	integrity: z.string().optional(),
	resolved: z.string().optional(),
	optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const lockSchema = z.object({packages: z.record(z.string(), lockedSchema)});

const path = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const {packages} = lockSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
const locked = Object.entries(packages).filter(([place]) => place !== '');

/** The package that npm installs for a dependency of the one at `place`: the nearest one above it. */
function found(place: string, name: string): z.infer<typeof lockedSchema> | undefined {
	for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
		const entry = packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
		if (entry !== undefined || folder === '') {
			return entry;
		}
	}
}

test('every optional package of every platform is locked with its version and hash, so npm ci works on all of them', () => {
	const optional = locked.flatMap(([place, {optionalDependencies}]) =>
		Object.entries(optionalDependencies).map(([name, wanted]) => ({name, wanted, entry: found(place, name)})),
	);
	const names = optional.map(({name}) => name);
	expect(names).toEqual(expect.arrayContaining([expect.stringContaining('darwin'), expect.stringContaining('linux')]));
	// Binaries are named with one version; others with a range.
	const isWanted = (version: string | undefined, wanted: string) =>
		/^\d/u.test(wanted) ? version === wanted : version !== undefined;
	const incomplete = optional.filter(
		({wanted, entry}) => entry?.integrity === undefined || !isWanted(entry.version, wanted),
	);
	expect(incomplete.map(({name}) => name)).toEqual([]);
});

test('every package is locked with a hash, and none with the address of a registry', () => {
	expect(locked.filter(([, {integrity}]) => !integrity?.startsWith('sha512-')).map(([place]) => place)).toEqual([]);
	expect(locked.filter(([, {resolved}]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
});
