import {createExpand, readSecretScope} from '../config/secret-scope.ts';
import {defaultProfile, statePaths} from '../config/state-paths.ts';
import {type Foundation} from '../gateway/foundation.ts';
import {otherProfileNames, profileDirectories} from '../gateway/served-profiles.ts';
import {type RouteBook} from './route-book.ts';

/** Reads the `.env` of every profile that a gateway on this foundation serves beside its own (spec/decisions.md, D12). An unreadable one is empty. */
export async function readOtherSecrets(
	foundation: Pick<Foundation, 'paths' | 'environment' | 'current' | 'expand' | 'redactor'>,
): Promise<Pick<RouteBook, 'expand' | 'serves'>> {
	const {paths, environment, current, expand, redactor} = foundation;
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
