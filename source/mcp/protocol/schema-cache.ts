import * as z from 'zod';
import {type StoredDocument} from '../../config/values/stored-document.ts';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock} from '../../util/clock.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type Connection, type ServerCapabilities} from '../connection.ts';
import {capabilitiesFingerprint} from './entry-fingerprint.ts';
import {narrowDefinition} from './tool-listing.ts';

/** The capabilities of servers when they were last connected (docs/connections.md, Lazy servers). */
export type SchemaCache = {
	/** Undefined when nothing is stored, or only for another entry or format. Throws a Problem when the file cannot be read. */
	readonly find: (config: ServerConfig) => ServerCapabilities | undefined;
	/** Rejects with a Problem when the capabilities cannot be stored. */
	readonly keep: (config: ServerConfig, offer: ServerCapabilities) => Promise<void>;
};

/** The file in this or another format: its content is checked only when it is needed. */
export const schemaCacheFileSchema = z.custom<JsonObject>(isJsonObject);

const formatVersion = 1;
const largestCharacters = 16 * 1024 * 1024;

const entrySchema = z.object({
	name: z.string(),
	fingerprint: z.string(),
	offer: z.object({
		tools: z.array(z.unknown()).readonly(),
		resources: z.boolean(),
		prompts: z.boolean(),
		instructions: z.string().optional(),
	}),
});

const fileSchema = z.object({version: z.literal(formatVersion), servers: z.array(z.unknown())});

type Store = Pick<StoredDocument<JsonObject>, 'read' | 'update'>;
type CacheEntry = z.infer<typeof entrySchema>;

/** Opens the cache in `store`. */
export function createSchemaCache(store: Store, clock: Clock): SchemaCache {
	return {
		find(config) {
			const entry = readEntries(store.read()).find(({name}) => name === config.name);
			return entry?.fingerprint === capabilitiesFingerprint(config) ? toCapabilities(entry) : undefined;
		},
		async keep(config, offer) {
			const entry = {name: config.name, fingerprint: capabilitiesFingerprint(config), offer};
			const text = JSON.stringify(entry);
			await store.update(file => {
				const entries = readEntries(file);
				const before = entries.find(({name}) => name === config.name);
				const isKept = before !== undefined && JSON.stringify(before) === text;
				return isKept ? file : toFile([...entries.filter(other => other !== before), entry]);
			}, clock);
		},
	};
}

function readEntries(content: JsonObject): readonly CacheEntry[] {
	const file = fileSchema.safeParse(content);
	return (file.data?.servers ?? []).flatMap(entry => entrySchema.safeParse(entry).data ?? []);
}

/** Invalid definitions are left out; the server lists them again when it connects. */
function toCapabilities({offer}: CacheEntry): ServerCapabilities {
	return {...offer, tools: offer.tools.flatMap(tool => narrowDefinition(tool) ?? [])};
}

/** As many entries as fit, newest first. Throws when the newest alone does not fit. */
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
		throw new Problem('config_unreadable', {message: 'The tools are larger than the schema cache'});
	}

	return {version: formatVersion, servers: kept};
}

/** The cached capabilities of one lazy server, so that it can sleep until its first call. */
type CapabilityCache = {
	/** The capabilities to register without connecting; undefined: the server must be connected. */
	readonly recall: () => ServerCapabilities | undefined;
	/** Never rejects. */
	readonly keep: (offer: ServerCapabilities) => Promise<void>;
};

/** Opens the part of the cache for one server; empty for servers that are not lazy. An unusable cache causes only a warning. */
export function createCapabilityCache(
	config: Connection['config'],
	options: {readonly cache: SchemaCache; readonly warn: (text: string) => void},
): CapabilityCache {
	const {cache, warn} = options;
	const isLazy = config.enabled && config.start === 'lazy';
	const report = (failure: string, error: unknown) => warn(`${failure}: ${toProblem(error).message}`);

	return {
		recall() {
			try {
				return isLazy ? cache.find(config) : undefined;
			} catch (error) {
				report('its cached tools cannot be read, so it connects now', error);
				return undefined;
			}
		},
		async keep(offer) {
			try {
				await (isLazy && cache.keep(config, offer));
			} catch (error) {
				report('its tools cannot be cached', error);
			}
		},
	};
}
