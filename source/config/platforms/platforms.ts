import {toBoolean} from '../values/bool-like.ts';
import {type PlatformConfig} from './platform-settings.ts';
import {platformSchemas} from './platform-schema.ts';
import {toTextMapping} from '../values/text-like.ts';
import {asMapping, readMapping} from '../values/read-mapping.ts';
import {readSection} from '../values/read-section.ts';
import {type Section, subsection} from '../values/section.ts';
import {parseWebhookEntry, type WebhookConfig} from '../webhooks/webhook-entry.ts';

const platformsMapping = asMapping(['webhook', ...platformSchemas.map(({name}) => name)]);

/** Reads `platforms`: the webhook adapter, and every delivery platform as it is written. `section` stands at the mapping. */
export function parsePlatforms(
	written: unknown,
	context: {readonly section: Section; readonly variables: (name: string) => string | undefined},
): {readonly webhook: WebhookConfig; readonly platforms: readonly PlatformConfig[]} {
	const {section, variables} = context;
	const mapping = readMapping(platformsMapping, written, section);
	const platforms = platformSchemas.map(({name, schema}): PlatformConfig => {
		// A platform that is not named is on as soon as its variables are there; there is nothing to read.
		const platform = mapping[name] ?? undefined;
		if (platform === undefined) {
			return {name, state: 'enabled', written: {}};
		}

		const place = subsection(section, [name], {kind: 'platform', name});
		const reading = readSection(schema(), platform, place);
		if (reading.kind === 'broken') {
			return {name, state: 'broken', written: {}};
		}

		const {enabled, ...keys} = reading.value;
		return {name, state: toBoolean(enabled) === false ? 'disabled' : 'enabled', written: toTextMapping(keys)};
	});
	const webhook = subsection(section, ['webhook'], {kind: 'platform', name: 'webhook'});
	return {platforms, webhook: parseWebhookEntry(mapping['webhook'], {section: webhook, variables})};
}
