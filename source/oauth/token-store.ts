import {access, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {writePrivateFile} from '../config/write-private-file.ts';
import {type Clock} from '../util/clock.ts';
import {withFileLock} from './file-lock.ts';
import {tokenFileName} from './token-file-name.ts';
import {parseTokenRecord, tokenFileText, type TokenRecord} from './token-record.ts';

/** The tokens of one profile, a file for each server (spec/mcp-servers.md, OAuth 2.1 rule 4). */
export type TokenStore = {
	/** Reads the file, each time: another process may have logged in or refreshed. Undefined: nothing that can be used. */
	readonly read: (server: string) => Promise<TokenRecord | undefined>;
	/**
	One change at a time, across processes: what `change` answers is written, all or nothing; undefined removes the file, and a rejection leaves it as it was.
	Rejects with `config_unreadable` when the folder cannot be written.
	*/
	readonly update: (server: string, change: Change) => Promise<void>;
	/** Whether the authorization server refused the client document before. */
	readonly hasRefusedDocument: (server: string) => Promise<boolean>;
	/** Sets or clears the marker `<server>.cimd-off`. */
	readonly markDocument: (server: string, as: 'refused' | 'usable') => Promise<void>;
};

type Change = (current: TokenRecord | undefined) => Promise<TokenRecord | undefined> | TokenRecord | undefined;

/** Opens the store in the folder `directory`; nothing is made before the first write. `learn` gets to know every secret that is read or written. */
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

	const read = async (server: string) => {
		const record = parseTokenRecord(await readFile(path(server, 'json'), 'utf8').catch(() => ''));
		return record && note(record);
	};

	return {
		read,
		update: (server, change) =>
			withFileLock(path(server, 'lock'), clock, async () => {
				const before = await read(server);
				const after = await change(before);
				if (after === undefined) {
					await rm(path(server, 'json'), {force: true});
				} else if (after !== before) {
					await writePrivateFile(path(server, 'json'), tokenFileText(note(after)));
				}
			}),
		hasRefusedDocument: server =>
			access(path(server, 'cimd-off')).then(
				() => true,
				() => false,
			),
		markDocument: (server, as) =>
			as === 'refused' ? writePrivateFile(path(server, 'cimd-off'), '') : rm(path(server, 'cimd-off'), {force: true}),
	};
}
