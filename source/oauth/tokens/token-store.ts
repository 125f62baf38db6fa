import {createHash} from 'node:crypto';
import {access, readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {withFileLock} from '../../config/values/file-lock.ts';
import {writePrivateFile} from '../../config/values/text-file.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {createInFlight} from '../../util/in-flight.ts';
import {parseTokenRecord, tokenFileText, type TokenRecord} from '../protocol/token-record.ts';

/** The tokens of one profile, a file for each server (docs/logins.md, Tokens). */
export type TokenStore = {
	/** Reads the file on every call: another process may have logged in or refreshed. Undefined: no usable record. */
	readonly read: (server: string) => Promise<TokenRecord | undefined>;
	/**
	One change at a time, across processes. The result of `change` is written atomically; undefined removes the file, and a rejection leaves it unchanged.
	Rejects with `config_unreadable` when the folder cannot be written.
	*/
	readonly update: (server: string, change: Change) => Promise<void>;
	/** Resolves when no change is running, after 30 seconds at the latest: a stop in between would lose tokens that the server has already issued. Never rejects. */
	readonly over: () => Promise<void>;
	/** True if the authorization server refused the client document before. */
	readonly hasRefusedDocument: (server: string) => Promise<boolean>;
	/** Sets or clears the marker `<server>.cimd-off`. */
	readonly markDocument: (server: string, as: 'refused' | 'usable') => Promise<void>;
};

type Change = (current: TokenRecord | undefined) => Promise<TokenRecord | undefined> | TokenRecord | undefined;

const patienceMilliseconds = 30_000;

/** Another process holds a lock during one or two requests, each with a time limit. */
const lockPatienceMilliseconds = 60_000;

/** Opens the store in the folder `directory`; nothing is created before the first write. `learn` gets every secret that is read or written. */
export function openTokenStore(options: {
	readonly directory: string;
	readonly clock: Clock;
	readonly learn: (secret: string) => void;
}): TokenStore {
	const {directory, clock, learn} = options;
	const path = (server: string, ending: string) => join(directory, `${tokenFileName(server)}.${ending}`);

	const note = (record: TokenRecord) => {
		const {tokens, client} = record;
		for (const secret of [tokens.access_token, tokens.refresh_token, client.client_secret]) {
			learn(secret ?? '');
		}

		return record;
	};

	const updates = createInFlight();

	const read = async (server: string) => {
		const record = parseTokenRecord(await readFile(path(server, 'json'), 'utf8').catch(() => ''));
		return record && note(record);
	};

	const replace = async (server: string, change: Change) => {
		const before = await read(server);
		const after = await change(before);
		if (after === undefined) {
			await rm(path(server, 'json'), {force: true});
		} else if (after !== before) {
			await writePrivateFile(path(server, 'json'), tokenFileText(note(after)));
		}
	};

	return {
		read,
		update: (server, change) =>
			updates.track(
				withFileLock(path(server, 'lock'), {clock, patienceMilliseconds: lockPatienceMilliseconds}, () =>
					replace(server, change),
				),
			),
		async over() {
			const reason = () => new Error('tokens are still being written');
			const deadline = openDeadline(clock, patienceMilliseconds, {reason});
			await updates.whenEmpty(deadline.signal);
			deadline.cancel();
		},
		hasRefusedDocument: server =>
			access(path(server, 'cimd-off')).then(
				() => true,
				() => false,
			),
		markDocument: (server, as) =>
			as === 'refused' ? writePrivateFile(path(server, 'cimd-off'), '') : rm(path(server, 'cimd-off'), {force: true}),
	};
}

/** Removes the records of a server's logins: tokens, registration, marker. Resolves with what was stored; undefined: there were no tokens. */
export async function forgetTokens(store: TokenStore, server: string): Promise<TokenRecord | undefined> {
	let former: TokenRecord | undefined;
	await store.update(server, record => {
		former = record;
		return undefined;
	});
	await store.markDocument(server, 'usable');
	return former;
}

/** File names have at most 255 bytes; extensions and the temporary names of atomic writes need some of them. */
const longestCharacters = 180;

/**
The file name for a server name, without an extension. It is unique, even on file systems that ignore case,
and never outside the folder (docs/logins.md, Start a login): lower case letters, digits, `-`, `_` and `.` are unchanged, everything else is %XX.
*/
export function tokenFileName(server: string): string {
	const encoded = [...Buffer.from(server, 'utf8')].map(encodeByte).join('').replace(/^\./u, '%2E');
	if (encoded.length <= longestCharacters) {
		return encoded;
	}

	// No short name contains `%~`.
	const hash = createHash('sha256').update(server).digest('hex');
	return `${encoded.slice(0, longestCharacters - 2 - hash.length)}%~${hash}`;
}

/** The servers with a token file in a folder, by name; the name of a hashed file is not known. Never rejects. */
export async function serversWithTokens(directory: string): Promise<readonly string[]> {
	const files = await readdir(directory).catch(() => []);
	return files.flatMap(file => {
		const name = file.endsWith('.json') ? nameOfFile(file.slice(0, -'.json'.length)) : undefined;
		return name === undefined ? [] : [name];
	});
}

function nameOfFile(encoded: string): string | undefined {
	try {
		const name = decodeURIComponent(encoded);
		return tokenFileName(name) === encoded ? name : undefined;
	} catch {
		return undefined;
	}
}

function encodeByte(byte: number): string {
	const character = String.fromCodePoint(byte);
	return /[a-z0-9._-]/u.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
