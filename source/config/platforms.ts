import {messagingSchemas} from './platform-schema.ts';
import {openMapping, readMapping} from './read-mapping.ts';
import {readSection} from './read-section.ts';
import {type Section, subsection} from './section.ts';
import {parseWebhookEntry, type WebhookConfig} from './webhook-entry.ts';

const platformsMapping = openMapping(['webhook', ...Object.keys(messagingSchemas)]);

/** Reads `platforms`: the webhook adapter, and the schema of every other platform. `section` stands at the mapping. */
export function parsePlatforms(
	written: unknown,
	context: {readonly section: Section; readonly variables: (name: string) => string | undefined},
): WebhookConfig {
	const {section, variables} = context;
	const platforms = readMapping(platformsMapping, written, section);
	for (const [name, schema] of Object.entries(messagingSchemas)) {
		readSection(schema, platforms[name] ?? {}, subsection(section, [name], {kind: 'platform', name}));
	}

	const webhook = subsection(section, ['webhook'], {kind: 'platform', name: 'webhook'});
	return parseWebhookEntry(platforms['webhook'], {section: webhook, variables});
}
