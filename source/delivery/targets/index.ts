import {type DeliveryTarget} from '../target.ts';
import {type BuiltTargetName} from '../target-names.ts';
import {log} from './log.ts';

/** The one list of targets. The type makes a built name without a target, or a target without a built name, an error. */
export const targets = {log} as const satisfies {[Name in BuiltTargetName]: DeliveryTarget & {readonly name: Name}};
