import * as z from 'zod';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {type ServerCapabilities} from '../connection.ts';
import {capabilitiesFingerprint} from './entry-fingerprint.ts';
import {narrowDefinition} from './tool-definition.ts';

/** What servers offered when they were last connected (docs/tool-servers.md, Lazy servers). */
export type SchemaCache = {
	/** Undefined when nothing is kept, or what is kept is of another entry or format. Throws a Problem when the file cannot be read. */
	readonly find: (config: ServerConfig) => ServerCapabilities | undefined;
	/** Throws a Problem when the offer cannot be kept. */
	readonly keep: (config: ServerConfig, offer: ServerCapabilities) => void;
};

/** The file, of this or any other format: what it holds is looked at when it is asked for. */
export const schemaCacheFileSchema = z.custom<JsonObject>(isJsonObject);

const formatVersion = 1;
const largestCharacters = 16 * 1024 * 1024;

const entrySchema = z.object({
	name: z.string(),
	fingerprint: z.string(),
	offer: z.object({tools: z.array(z.unknown()).readonly(), resources: z.boolean(), prompts: z.boolean()}),
});

const fileSchema = z.object({version: z.literal(formatVersion), servers: z.array(z.unknown())});

type Store = {readonly read: () => JsonObject; readonly write: (file: JsonObject) => void};
type CacheEntry = z.infer<typeof entrySchema>;

/** Opens the cache that lives in `store`. */
export function createSchemaCache(store: Store): SchemaCache {
	return {
		find(config) {
			const entry = readEntries(store).find(({name}) => name === config.name);
			return entry?.fingerprint === capabilitiesFingerprint(config) ? toCapabilities(entry) : undefined;
		},
		keep(config, offer) {
			const entry = {name: config.name, fingerprint: capabilitiesFingerprint(config), offer};
			const entries = readEntries(store);
			const before = entries.find(({name}) => name === config.name);
			if (before === undefined || JSON.stringify(before) !== JSON.stringify(entry)) {
				store.write(toFile([...entries.filter(other => other !== before), entry]));
			}
		},
	};
}

function readEntries(store: Store): readonly CacheEntry[] {
	const file = fileSchema.safeParse(store.read());
	return (file.data?.servers ?? []).flatMap(entry => entrySchema.safeParse(entry).data ?? []);
}

/** A definition that is not one any more is left out; the server will tell it anew. */
function toCapabilities({offer}: CacheEntry): ServerCapabilities {
	return {...offer, tools: offer.tools.flatMap(tool => narrowDefinition(tool) ?? [])};
}

/** The entry kept last stays longest. Throws when it does not fit alone. */
function toFile(entries: readonly CacheEntry[]): JsonObject {
	const kept: JsonValue[] = [];
	let characters = 0;
	for (const entry of entries.toReversed()) {
		const text = JSON.stringify(entry);
		characters += text.length;
		if (characters > largestCharacters) {
			break;
		}

		const plain: JsonValue = JSON.parse(text);
		kept.unshift(plain);
	}

	if (kept.length === 0) {
		throw new Problem('config_unreadable', {message: 'The tools take more room than the schema cache has'});
	}

	return {version: formatVersion, servers: kept};
}
