import {type Destination} from '../../source/util/destinations.ts';
import {type JsonObject} from '../../source/util/json-text.ts';

/** One destination, as a list. */
export function to(target: string, extra: JsonObject = {}): readonly Destination[] {
	return [{target, extra}];
}
