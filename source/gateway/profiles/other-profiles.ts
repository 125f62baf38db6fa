import {defaultProfile, statePaths} from '../../config/read/state-paths.ts';
import {acquireLock} from '../../control/lock.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ProfileContext, loadProfile} from './profile-context.ts';
import {otherProfileNames, profileDirectories} from './served-profiles.ts';

/** A profile that is served beside the first one, its state directory locked. */
export type LockedProfile = {readonly context: ProfileContext; readonly release: () => Promise<void>};

/**
Locks and reads the other profiles of a multiplexing gateway (docs/configuration.md, Profiles). One that another gateway holds, or that cannot be used,
is told and left out; the others are served.
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
		return {context: await loadProfile({...first, paths}, {banner: 'untold'}), release: lock.release};
	} catch (caught) {
		await lock.release();
		throw caught;
	}
}
