import {type Problem} from '../util/problem.ts';
import {type DeliveryTarget} from './target.ts';
import {absentTarget, isBuiltTargetName} from './target-names.ts';
import {targets} from './targets/index.ts';

/** The target of a `deliver` value, or why there is none. */
export function findTarget(name: string): DeliveryTarget | Problem {
	return isBuiltTargetName(name) ? targets[name] : absentTarget(name);
}
