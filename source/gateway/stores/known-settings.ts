import {randomBytes, scrypt} from 'node:crypto';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {z} from 'zod';
import {createJsonStore} from '../../config/values/json-store.ts';
import {type Clock} from '../../util/clock.ts';

/** The settings of platforms that were in force last, also before this start. */
export type KnownSettings = {
	/** The platforms whose settings, by their names, are other ones than those of the last call or start; none where nothing is known. Rejects with `config_unreadable`. */
	readonly changed: (settings: ReadonlyMap<string, string>) => Promise<readonly string[]>;
	/** Keeps the settings of the last call for the next start. Rejects with `config_unreadable`. */
	readonly keep: () => Promise<void>;
};

const hashes = z.object({
	salt: z.string(),
	/** scrypt of the settings of each platform: no secret can be read from it, and a short one is costly to guess. */
	platforms: z.record(z.string(), z.string()),
});
const fileSchema = hashes.or(z.strictObject({}));

const hashBytes = 32;
const deriveKey = promisify<string, string, number, Buffer>(scrypt);

/** Creates the store of `cache/platform-settings.json` in the directory of a profile; the file is made with the first settings that are kept. */
export function createKnownSettings({
	directory,
	clock,
}: {
	readonly directory: string;
	readonly clock: Clock;
}): KnownSettings {
	const store = createJsonStore<z.output<typeof fileSchema>>({
		directory: join(directory, 'cache'),
		name: 'platform-settings',
		schema: fileSchema,
		fallback: {},
	});
	let known: z.output<typeof hashes> | undefined;
	const readKnown = () => {
		const stored = store.read();
		return 'salt' in stored ? stored : undefined;
	};

	return {
		async changed(settings) {
			const before = known ?? readKnown();
			const salt = before?.salt ?? randomBytes(16).toString('base64url');
			const derived = [...settings].map(async ([name, text]) => {
				const hash = await deriveKey(text, salt, hashBytes);
				return [name, hash.toString('base64url')] as const;
			});
			known = {salt, platforms: Object.fromEntries(await Promise.all(derived))};
			const {platforms} = known;
			const names = Object.keys({...before?.platforms, ...platforms});
			return before ? names.filter(name => before.platforms[name] !== platforms[name]) : [];
		},
		async keep() {
			const next = known;
			if (next === undefined || (Object.keys(next.platforms).length === 0 && readKnown() === undefined)) {
				return;
			}

			await store.update(stored => (JSON.stringify(stored) === JSON.stringify(next) ? stored : next), clock);
		},
	};
}
