import {toProblem} from '../../util/problem.ts';
import {type Connection, type ServerCapabilities} from '../connection.ts';
import {type SchemaCache} from './schema-cache.ts';

export {type SchemaCache};

/** What one server is remembered to offer, so that it can sleep until its first call. */
export type CapabilityCache = {
	/** What to register without connecting; undefined: the server must be connected. */
	readonly recall: () => ServerCapabilities | undefined;
	readonly keep: (offer: ServerCapabilities) => void;
};

/** Opens the memory of a server; it is empty for servers that are not lazy. A cache that cannot be used is told about and hinders nothing. */
export function createCapabilityCache(
	config: Connection['config'],
	options: {readonly cache: SchemaCache; readonly warn: (text: string) => void},
): CapabilityCache {
	const {cache, warn} = options;
	const isLazy = config.enabled && config.start === 'lazy';
	const guard = <Value>(told: string, act: () => Value): Value | undefined => {
		try {
			return isLazy ? act() : undefined;
		} catch (error) {
			warn(`${told}: ${toProblem(error).message}`);
			return undefined;
		}
	};

	return {
		recall: () => guard('it connects now, because its cached tools cannot be read', () => cache.find(config)),
		keep: offer => guard('its tools cannot be cached', () => cache.keep(config, offer)),
	};
}
