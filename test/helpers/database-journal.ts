import {type GatewayEvent} from '../../source/state/event.ts';
import {newPostgresPlace} from './journal-engines.ts';

/** The password in the address of the database; the server takes any. */
export const databasePassword = 'hunter2-of-the-journal';

/** A configuration whose journal is in a new schema, the variables it needs, and the address as the owner of the server. `place` is another database than that which tests share. */
export async function inDatabase(changes: {readonly port?: string; readonly place?: URL; readonly role?: string} = {}) {
	const shared = (await newPostgresPlace()).database;
	const url = changes.place?.href ?? shared.url;
	const address = new URL(url);
	address.username = changes.role ?? address.username;
	address.password = databasePassword;
	address.port = changes.port ?? address.port;
	const yaml = `journal: {url: "\${JOURNAL_URL}", schema: ${shared.schema}, pool: 3}
platforms:
  webhook:
    enabled: true
    port: 0
    routes:
      one: {secret: INSECURE_NO_AUTH, prompt: "{x}"}
`;
	const surroundings = {variables: {JOURNAL_URL: address.href}};
	return {yaml, url, host: address.host, schema: shared.schema, surroundings};
}

/** An event that says that the journal cannot be used or written, or that it can be again. */
export const journalFault = (state: 'there' | 'gone') => (event: GatewayEvent) =>
	event.type === 'fault.state' && event.part === 'journal' && (event.reason === undefined) === (state === 'gone');
