import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {type ServedProfiles} from '../../config/read/settings.ts';
import {defaultProfile, isProfileName, statePaths} from '../../config/read/state-paths.ts';
import {acquireLock} from '../../control/lock.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {loadProfile, type ProfileContext} from './profile-context.ts';

/** A profile that is served beside the first one, its state directory locked. */
type LockedProfile = {readonly context: ProfileContext; readonly release: () => Promise<void>};

/** More profiles than this are not served by one gateway. */
const maxProfiles = 64;

/**
Locks and reads the other profiles of a multiplexing gateway (docs/configuration.md, Profiles). One that another gateway holds, or that cannot be used,
is logged and left out; the others are served.
*/
export async function openOtherProfiles(first: ProfileContext): Promise<readonly LockedProfile[]> {
	const {paths, publish, current} = first;
	if (paths.profile !== defaultProfile) {
		return [];
	}

	const names = otherProfileNames(current().config.gateway.profiles, await profileDirectories(paths.root));
	const opened: LockedProfile[] = [];
	for (const name of names) {
		try {
			opened.push(await lockProfile(first, name));
		} catch (caught) {
			const text = `The profile ${name} is not served: ${safeText(toProblem(caught).message)}`;
			publish({type: 'log', level: 'error', area: 'profiles', text});
		}
	}

	return opened;
}

async function lockProfile(first: ProfileContext, profile: string): Promise<LockedProfile> {
	const {runtimeDirectory} = first.environment;
	const paths = statePaths({root: first.paths.root, profile, runtimeDirectory});
	const lock = await acquireLock(paths.lock);
	try {
		return {context: await loadProfile({...first, paths}, {banner: 'hidden'}), release: lock.release};
	} catch (caught) {
		await lock.release();
		throw caught;
	}
}

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
	return [...new Set(names)].filter(name => name !== defaultProfile && isProfileName(name)).slice(0, maxProfiles);
}
