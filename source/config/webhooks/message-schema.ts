import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';

const sourceForms = 'none, or a mapping with `header` or `field`';

const sourceSchema = lazy(() =>
	z.union([
		z.literal('none'),
		z.strictObject({header: z.string().min(1).describe('Header that has it.')}),
		z.strictObject({field: z.string().min(1).describe('Field of the payload that has it, as a dot path.')}),
	]),
);

/** A place of the delivery id or the event type in config.yaml. */
export type WrittenSource = z.output<ReturnType<typeof sourceSchema>>;

/** The schema of `delivery_id`. */
export const deliveryIdSchema = lazy(() =>
	field(sourceSchema(), {
		description: 'Place of the id by which a retry is recognised; none: nothing is. Default: that of the preset.',
		allowed: sourceForms,
	}).optional(),
);

/** The schema of `event_type`. */
export const eventTypeSchema = lazy(() =>
	field(sourceSchema(), {
		description: 'Place of the event type. Default: that of the preset.',
		allowed: sourceForms,
	}).optional(),
);

const challengeDescription = lazy(() =>
	z.strictObject({
		method: z.enum(['GET', 'POST']).describe('Method of the request that verifies the address.').optional(),
		parameter: z
			.string()
			.min(1)
			.describe('Parameter of the address that is sent back, before any signature.')
			.optional(),
		field: z.string().min(1).describe('Field of a signed message that is sent back.').optional(),
		token: z.string().describe('Text that the request must name; may be a reference to a variable.').optional(),
		token_parameter: z
			.string()
			.min(1)
			.describe('Parameter of the address with that text. Default: hub.verify_token.')
			.optional(),
		answer: z.enum(['text', 'json']).describe('Form of the answer. Default: text.').optional(),
	}),
);

/** A challenge in config.yaml: the differences from that of the preset. */
export type WrittenChallenge = z.output<ReturnType<typeof challengeDescription>>;

/** The schema of `challenge`. */
export const challengeSchema = lazy(() =>
	field(challengeDescription(), {
		description: 'How the sender verifies the address before it sends events. Default: as the preset does.',
		allowed: `a mapping with ${Object.keys(challengeDescription().shape).join(', ')}`,
	}).optional(),
);
