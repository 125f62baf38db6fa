import {unknownWord} from '../config/values/did-you-mean.ts';
import {deliveryTargets} from '../config/platforms/platform-keys.ts';
import {callerTarget} from '../state/event-caller.ts';
import {Problem} from '../util/problem.ts';
import {type DeliveryTarget, type TargetName} from './target.ts';
import {targets} from './targets/index.ts';

/** The target of a `deliver` value, or `caller`, loaded at first use, or the problem of an unknown name. */
export async function findTarget(name: string): Promise<DeliveryTarget | Problem> {
	return isTargetName(name) || name === callerTarget ? targets[name]() : unknownTarget(name);
}

/** True for a known value of `deliver`. */
export function isTargetName(name: string): name is Exclude<TargetName, typeof callerTarget> {
	return deliveryTargets.includes(name);
}

/** The problem of an unknown target. */
export function unknownTarget(name: string): Problem {
	return new Problem('unknown_target', {message: unknownWord(name, {noun: 'delivery target', words: deliveryTargets})});
}
