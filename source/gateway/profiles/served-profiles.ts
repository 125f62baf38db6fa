import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {type ServedProfiles} from '../../config/read/settings.ts';
import {defaultProfile, isProfileName} from '../../config/read/state-paths.ts';

/** More profiles than this are not served by one gateway. */
const mostProfiles = 64;

/**
The names of the profiles served beside the first one (docs/configuration.md, Profiles): those of the list, else every directory under `profiles/`,
in alphabetical order. A listed name that is no profile's name is left out.
*/
export function otherProfileNames(served: ServedProfiles, directories: readonly string[]): readonly string[] {
	switch (served.kind) {
		case 'own':
			return [];
		case 'listed':
			return usable(served.names);
		case 'all':
			return usable(directories.toSorted());
	}
}

/** The directories under `profiles/`; none when there is no such folder. */
export async function profileDirectories(root: string): Promise<readonly string[]> {
	const entries = await readdir(join(root, 'profiles'), {withFileTypes: true}).catch(() => []);
	return entries.filter(entry => entry.isDirectory()).map(({name}) => name);
}

function usable(names: readonly string[]): readonly string[] {
	return [...new Set(names)].filter(name => name !== defaultProfile && isProfileName(name)).slice(0, mostProfiles);
}
