import {defaultProfile, statePaths} from '../config/state-paths.ts';
import {acquireLock} from '../control/lock.ts';
import {toProblem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type Foundation, layFoundation} from './foundation.ts';
import {otherProfileNames, profileDirectories} from './served-profiles.ts';

/** A profile that is served beside the first one, its state directory locked. */
export type ProfileGround = {readonly foundation: Foundation; readonly release: () => Promise<void>};

/**
Locks and reads the other profiles of a multiplexing gateway (spec/decisions.md, D12). One that another gateway holds, or that cannot be used,
is told and left out; the others are served.
*/
export async function openProfileGrounds(first: Foundation): Promise<readonly ProfileGround[]> {
	const {paths, publish, current} = first;
	if (paths.profile !== defaultProfile) {
		return [];
	}

	const names = otherProfileNames(current().config.gateway.profiles, await profileDirectories(paths.root));
	const grounds: ProfileGround[] = [];
	for (const name of names) {
		try {
			grounds.push(await openGround(first, name));
		} catch (caught) {
			const text = `The profile ${name} is not served: ${safeText(toProblem(caught).message)}`;
			publish({type: 'log', level: 'error', area: 'profiles', text});
		}
	}

	return grounds;
}

async function openGround(first: Foundation, profile: string): Promise<ProfileGround> {
	const {runtimeDirectory} = first.environment;
	const paths = statePaths({root: first.paths.root, profile, runtimeDirectory});
	const lock = await acquireLock(paths.lock);
	try {
		return {foundation: await layFoundation({...first, paths}, {banner: 'untold'}), release: lock.release};
	} catch (caught) {
		await lock.release();
		throw caught;
	}
}
