import {deliveryTargets, type PlatformName} from '../config/platforms/platform-keys.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** A value of `deliver`. */
export type TargetName = 'log' | PlatformName;

/** True for a value of `deliver` that is known. */
export function isTargetName(name: string): name is TargetName {
	return deliveryTargets.includes(name);
}

/** The problem of a target that does not exist. */
export function unknownTarget(name: string): Problem {
	const shown = safeText(name, {maximumCharacters: 80});
	return new Problem('unknown_target', {
		message: `unknown delivery target ${JSON.stringify(shown)}, known are ${deliveryTargets.join(', ')}`,
	});
}
