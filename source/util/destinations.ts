import {hashJson} from './json-hash.ts';
import {type JsonObject} from './json-text.ts';

/** A place that a message goes to: a delivery target, and the keys that it needs, such as `chat_id`. */
export type Destination = {readonly target: string; readonly extra: JsonObject};

/** The targets as one text, such as `slack,telegram`. */
export function targetNames(destinations: ReadonlyArray<Pick<Destination, 'target'>>): string {
	return destinations.map(({target}) => target).join(',');
}

/** The destination for each name of such a text, all with these keys. */
export function destinationsOf(names: string, extra: JsonObject): readonly Destination[] {
	return names
		.split(',')
		.map(name => name.trim())
		.filter(name => name !== '')
		.map(target => ({target, extra}));
}

/** The first destination that is there twice. */
export function repeatedDestination(destinations: readonly Destination[]): Destination | undefined {
	return destinations.find((one, index) => destinations.slice(0, index).some(other => isSameDestination(one, other)));
}

/** True for the same target with the same keys. */
export function isSameDestination(first: Destination, second: Destination): boolean {
	return first.target === second.target && hashJson(first.extra) === hashJson(second.extra);
}
