import * as z from 'zod';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../util/json-text.ts';
import {Problem, toProblem} from '../../util/problem.ts';
import {type Connection, type ServerCapabilities} from '../connection.ts';
import {capabilitiesFingerprint} from './entry-fingerprint.ts';
import {narrowDefinition} from './tool-listing.ts';

/** The capabilities of servers when they were last connected (docs/tool-servers.md, Lazy servers). */
export type SchemaCache = {
	/** Undefined when nothing is stored, or only for another entry or format. Throws a Problem when the file cannot be read. */
	readonly find: (config: ServerConfig) => ServerCapabilities | undefined;
	/** Throws a Problem when the capabilities cannot be stored. */
	readonly keep: (config: ServerConfig, offer: ServerCapabilities) => void;
};

/** The file in this or another format: its content is checked only when it is needed. */
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

/** Opens the cache in `store`. */
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
	readonly keep: (offer: ServerCapabilities) => void;
};

/** Opens the part of the cache for one server; empty for servers that are not lazy. An unusable cache causes only a warning. */
export function createCapabilityCache(
	config: Connection['config'],
	options: {readonly cache: SchemaCache; readonly warn: (text: string) => void},
): CapabilityCache {
	const {cache, warn} = options;
	const isLazy = config.enabled && config.start === 'lazy';
	const attempt = <Value>(failure: string, act: () => Value): Value | undefined => {
		try {
			return isLazy ? act() : undefined;
		} catch (error) {
			warn(`${failure}: ${toProblem(error).message}`);
			return undefined;
		}
	};

	return {
		recall: () => attempt('it connects now, because its cached tools cannot be read', () => cache.find(config)),
		keep: offer => attempt('its tools cannot be cached', () => cache.keep(config, offer)),
	};
}
