import {type Problem} from '../util/problem.ts';
import {type DeliveryTarget} from './target.ts';
import {isTargetName, unknownTarget} from './target-names.ts';
import {targets} from './targets/index.ts';

/** The target of a `deliver` value, loaded when it is first asked for, or why there is none. */
export async function findTarget(name: string): Promise<DeliveryTarget | Problem> {
	return isTargetName(name) ? targets[name]() : unknownTarget(name);
}
