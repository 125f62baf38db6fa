import {z} from 'zod';
import {type Destination, repeatedDestination} from '../../util/destinations.ts';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';
import {unknownWord} from '../values/did-you-mean.ts';
import {toJsonObject} from '../values/plain-value.ts';
import {deliveryTargets} from './platform-keys.ts';

const targetSchema = () => z.string().meta({examples: [...deliveryTargets]});

const extraSchema = () => z.record(z.string(), z.unknown());

/** A target, or a list of targets, each perhaps with keys of its own. */
const listSchema = lazy(() =>
	z.union([
		targetSchema(),
		z.array(
			z.union([
				targetSchema(),
				z.strictObject({
					target: targetSchema().describe('The delivery target.'),
					extra: extraSchema().describe('Its keys. Default: `deliver_extra`.').optional(),
				}),
			]),
		),
	]),
);

/** Destinations in config.yaml. */
type WrittenDestinations = z.output<ReturnType<typeof listSchema>>;

const allowed = `a target, or a list of targets and of mappings with target, extra. Targets: ${deliveryTargets.join(', ')}`;

/** The schema of `deliver`. */
export const deliverSchema = lazy(() =>
	field(listSchema(), {
		description: `Where the answer goes: one target, or a list. Default: log. Targets: ${deliveryTargets.join(', ')}.`,
		allowed,
	}).optional(),
);

/** The schema of `on_failure`. */
export const onFailureSchema = lazy(() =>
	field(
		z.strictObject({
			deliver: field(listSchema(), {description: 'Where the message goes: one target, or a list.', allowed}),
			extra: field(extraSchema(), {
				description: 'Keys of the target, such as chat_id.',
				allowed: 'a mapping',
			}).optional(),
		}),
		{
			description:
				'Where a message about each failed run or delivery goes; at most one in 5 minutes for equal reasons.',
			allowed: 'a mapping with deliver, extra',
		},
	).optional(),
);

type WrittenOnFailure = z.output<ReturnType<typeof onFailureSchema>>;

/** The destinations of a written value; those without keys of their own get `extra`. */
export function toDestinations(written: WrittenDestinations | undefined, extra: unknown): readonly Destination[] {
	const shared = toJsonObject(extra);
	if (typeof written !== 'object') {
		return [{target: written || 'log', extra: shared}];
	}

	return written.map(one =>
		typeof one === 'string'
			? {target: one, extra: shared}
			: {target: one.target, extra: one.extra === undefined ? shared : toJsonObject(one.extra)},
	);
}

/** The destinations of `on_failure`; undefined when it is not there. */
export function toFailureDestinations(written: WrittenOnFailure): readonly Destination[] | undefined {
	return written && toDestinations(written.deliver, written.extra);
}

/** The fault of a target that does not exist. */
export function targetFault(destinations: readonly Destination[]): string | undefined {
	const unknown = destinations.find(({target}) => !deliveryTargets.includes(target));
	return unknown && unknownWord(unknown.target, {noun: 'delivery target', words: deliveryTargets});
}

/** The fault of a list that is empty, or has a destination twice. */
export function listFault(destinations: readonly Destination[]): string | undefined {
	const repeated = repeatedDestination(destinations);
	if (destinations.length === 0) {
		return 'No delivery target is named';
	}

	return repeated && `The delivery target ${repeated.target} is named twice with the same keys`;
}
