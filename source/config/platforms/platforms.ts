import {z} from 'zod';
import {field, lazyField} from '../values/field-rule.ts';
import {boolLike, numberLike, scalar, textMapping, toBoolean, toText, toTextMapping} from '../values/fields.ts';
import {asMapping, readMapping, readSection} from '../values/read-section.ts';
import {type Section, subsection} from '../values/section.ts';
import {parseWebhookEntry, type WebhookConfig} from '../webhooks/webhook-entry.ts';
import {webhookSchema} from '../webhooks/webhook-schema.ts';
import {isPlatformName, type PlatformName, platformRow, platformRows} from './platform-keys.ts';
import {type PlatformConfig, type UrlEndpoint} from './platform-settings.ts';
import {isJsonObject} from '../../util/json-text.ts';

/** Descriptions of the keys common to all platforms; the names of the others are self-explanatory. */
const commonKeys: Readonly<Record<string, string>> = {
	home_channel: 'Where messages go when a delivery names no chat.',
	base_url: 'Replaces the address of the API of the platform: a proxy, or a server of your own.',
};

const scalarKey = (description: string) => field(scalar, {description, allowed: 'text'}).optional();

const port = () => numberLike('SMTP port.', {fallback: 587, minimum: 1, maximum: 65_535, whole: true});

function platformSchema(name: PlatformName) {
	const keys = Object.keys(platformRow(name).keys).map(key => [
		key,
		key === 'port' ? port() : scalarKey(commonKeys[key] ?? `${name}: ${key.replaceAll('_', ' ')}.`),
	]);
	const shape = {enabled: boolLike('false: the platform is not used.', true), ...Object.fromEntries(keys)};
	return name === 'url' ? z.object(shape).catchall(endpointSchema()) : z.strictObject(shape);
}

/** An entry of `platforms.url`, whose name the user chooses. */
const endpointSchema = () =>
	field(
		z.strictObject({
			url: field(scalar, {description: 'The address that receives the messages.', allowed: 'an http or https address'}),
			secret: scalarKey('Signs each message as Standard Webhooks describe; a secret after `whsec_` is base64.'),
			headers: textMapping('Headers of each message.'),
		}),
		{description: 'An address that receives messages as webhooks.', allowed: 'a mapping with url, secret, headers'},
	);

/** The schema of each delivery platform, in the order of the table. */
const platformSchemas = Object.keys(platformRows)
	.filter(isPlatformName)
	.map(name => ({
		name,
		schema: lazyField(() => platformSchema(name), {description: `Delivery to ${name}.`, allowed: 'a mapping'}),
	}));

/** `platforms` in config.yaml. */
export const platformsSchema = lazyField(
	() =>
		z.strictObject({
			webhook: webhookSchema().optional(),
			...Object.fromEntries(platformSchemas.map(({name, schema}) => [name, schema().optional()])),
		}),
	{description: 'The webhook receiver and the delivery platforms.', allowed: 'a mapping of platforms'},
);

const platformsMapping = asMapping(['webhook', ...platformSchemas.map(({name}) => name)]);

/** Reads `platforms`: the webhook adapter, and every delivery platform unresolved. `section` is that mapping. */
export function parsePlatforms(
	written: unknown,
	context: {readonly section: Section; readonly variables: (name: string) => string | undefined},
): {readonly webhook: WebhookConfig; readonly platforms: readonly PlatformConfig[]} {
	const {section, variables} = context;
	const mapping = readMapping(platformsMapping, written, section);
	const platforms = platformSchemas.map(({name, schema}): PlatformConfig => {
		// A platform without a section is enabled: environment variables alone may configure it.
		const platform = mapping[name] ?? undefined;
		if (platform === undefined) {
			return {name, state: 'enabled', written: {}};
		}

		const own = subsection(section, [name], {kind: 'platform', name});
		const reading = readSection(schema(), platform, own);
		if (reading.kind === 'broken') {
			return {name, state: 'broken', written: {}};
		}

		const {enabled, ...keys} = reading.value;
		const state = toBoolean(enabled) === false ? 'disabled' : 'enabled';
		return {name, state, ...(name === 'url' ? readEndpoints(keys) : {written: toTextMapping(keys)})};
	});
	const webhook = subsection(section, ['webhook'], {kind: 'platform', name: 'webhook'});
	return {platforms, webhook: parseWebhookEntry(mapping['webhook'], {section: webhook, variables})};
}

/** The endpoints of `platforms.url`, apart from its own keys. */
function readEndpoints(keys: Readonly<Record<string, unknown>>): Pick<PlatformConfig, 'written' | 'endpoints'> {
	const own = Object.keys(platformRow('url').keys);
	const isOwn = ([key]: readonly [string, unknown]) => own.includes(key);
	const entries = Object.entries(keys);
	return {
		written: toTextMapping(Object.fromEntries(entries.filter(isOwn))),
		endpoints: Object.fromEntries(
			entries.filter(entry => !isOwn(entry)).map(([name, value]) => [name, readEndpoint(value)]),
		),
	};
}

function readEndpoint(value: unknown): UrlEndpoint {
	const {url, secret = '', headers} = isJsonObject(value) ? value : {};
	return {url: toText(url), secret: toText(secret), headers: toTextMapping(headers)};
}
