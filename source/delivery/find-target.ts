import {deliveryTargets} from '../config/platforms/platform-keys.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type DeliveryTarget, type TargetName} from './target.ts';
import {targets} from './targets/index.ts';

/** The target of a `deliver` value, loaded at first use, or the problem of an unknown name. */
export async function findTarget(name: string): Promise<DeliveryTarget | Problem> {
	return isTargetName(name) ? targets[name]() : unknownTarget(name);
}

/** True for a known value of `deliver`. */
export function isTargetName(name: string): name is TargetName {
	return deliveryTargets.includes(name);
}

/** The problem of an unknown target. */
export function unknownTarget(name: string): Problem {
	const shown = safeText(name, {maximumCharacters: 80});
	return new Problem('unknown_target', {
		message: `unknown delivery target ${JSON.stringify(shown)}; known targets: ${deliveryTargets.join(', ')}`,
	});
}
