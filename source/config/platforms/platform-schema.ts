import {z} from 'zod';
import {boolLike} from '../values/bool-like.ts';
import {field, lazyField} from '../values/field-rule.ts';
import {numberLike} from '../values/number-like.ts';
import {type PlatformName, platformRow, platformRows} from './platform-keys.ts';
import {scalar} from '../values/text-like.ts';
import {webhookSchema} from '../webhooks/webhook-schema.ts';

/** What the keys that every platform has mean; of the others the name says enough. */
const commonKeys: Readonly<Record<string, string>> = {
	home_channel: 'Where messages go when a delivery names no chat.',
	base_url: 'Address of a proxy or of a server of your own.',
};

const scalarKey = (description: string) => field(scalar, {description, allowed: 'text'}).optional();

const port = () => numberLike('SMTP port.', {fallback: 587, minimum: 1, maximum: 65_535, whole: true});

function platformSchema(name: PlatformName) {
	const keys = Object.keys(platformRow(name).keys).map(key => [
		key,
		key === 'port' ? port() : scalarKey(commonKeys[key] ?? `${name}: ${key.replaceAll('_', ' ')}.`),
	]);
	return z.strictObject({enabled: boolLike('false: the platform is not used.', true), ...Object.fromEntries(keys)});
}

/** True for a value of `deliver` that is a platform. */
export function isPlatformName(name: string): name is PlatformName {
	return Object.hasOwn(platformRows, name);
}

/** The schema of each delivery platform, in the order of the specification. */
export const platformSchemas = Object.keys(platformRows)
	.filter(isPlatformName)
	.map(name => ({
		name,
		schema: lazyField(() => platformSchema(name), {description: `Delivery to ${name}.`, allowed: 'a mapping'}),
	}));

/** `platforms` as a person writes it. */
export const platformsSchema = lazyField(
	() =>
		z.strictObject({
			webhook: webhookSchema().optional(),
			...Object.fromEntries(platformSchemas.map(({name, schema}) => [name, schema().optional()])),
		}),
	{description: 'The webhook receiver and the delivery platforms.', allowed: 'a mapping of platforms'},
);
