import {createExpand, readSecretScope} from '../../config/secrets/variables.ts';
import {defaultProfile, statePaths} from '../../config/read/state-paths.ts';
import {type ProfileContext} from '../../gateway/profiles/profile-context.ts';
import {otherProfileNames, profileDirectories} from '../../gateway/profiles/served-profiles.ts';
import {type RouteRegistry} from './route-registry.ts';

/** Reads the `.env` of every profile that a gateway serves beside its own (docs/configuration.md, Profiles). An unreadable one is empty. */
export async function readOtherSecrets(
	context: Pick<ProfileContext, 'paths' | 'environment' | 'current' | 'expand' | 'redactor'>,
): Promise<Pick<RouteRegistry, 'expand' | 'serves'>> {
	const {paths, environment, current, expand, redactor} = context;
	const names =
		paths.profile === defaultProfile
			? otherProfileNames(current().config.gateway.profiles, await profileDirectories(paths.root))
			: [];
	const read = async (profile: string) => {
		const {scope} = await readSecretScope(statePaths({root: paths.root, profile}).env, environment);
		scope.values.forEach(redactor.learn);
		return [profile, createExpand(scope, environment)] as const;
	};

	const others = new Map(await Promise.all(names.map(read)));
	return {
		serves: profile => others.has(profile),
		expand: (text, profile) => (others.get(profile ?? '') ?? expand)(text),
	};
}
