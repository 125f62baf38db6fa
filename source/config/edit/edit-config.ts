import {randomBytes} from 'node:crypto';
import {isJsonObject, type JsonObject, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {readForEdit} from '../read/file.ts';
import {type StatePaths} from '../read/state-paths.ts';
import {valueAt} from '../values/plain-value.ts';
import {createSubscriptionStore} from '../webhooks/subscriptions.ts';
import {createProfileChange, type ProfileChange} from './profile-change.ts';

/** A server to add: its name and its entry with the keys of docs/tool-servers.md. References are written unresolved. */
export type NewServer = {readonly name: string; readonly entry: JsonObject};

/** Adds a server to config.yaml without changing anything else. Throws a Problem `server_exists` when the name is taken. */
export async function addServer(paths: Pick<StatePaths, 'config'>, server: NewServer): Promise<void> {
	const file = await readForEdit(paths.config);
	if (server.name === '' || file.has(['mcp_servers', server.name])) {
		throw new Problem('server_exists', {message: `The name "${safeText(server.name)}" is taken, choose another one`});
	}

	file.set(['mcp_servers', server.name], server.entry);
	await file.save();
}

/** Enables or disables a server in config.yaml. Throws a Problem `unknown_server` for an unknown name. */
export async function setServerEnabled(
	paths: Pick<StatePaths, 'config'>,
	name: string,
	enabled: boolean,
): Promise<void> {
	const file = await readForEdit(paths.config);
	if (!file.has(['mcp_servers', name])) {
		throw new Problem('unknown_server', {message: `There is no server named "${safeText(name)}"`});
	}

	file.set(['mcp_servers', name, 'enabled'], enabled);
	await file.save();
}

/** Pauses or resumes a route in config.yaml, or else in the subscriptions file. Throws a Problem `unknown_route` when it is in neither. */
export async function setRouteEnabled(
	paths: Pick<StatePaths, 'config' | 'directory'>,
	name: string,
	enabled: boolean,
): Promise<void> {
	const file = await readForEdit(paths.config);
	const webhook = ['platforms', 'webhook'];
	const keys = [
		[...webhook, 'extra', 'routes', name],
		[...webhook, 'routes', name],
	].find(path => file.has(path));
	if (keys) {
		file.set([...keys, 'enabled'], enabled);
		await file.save();
		return;
	}

	const store = createSubscriptionStore(paths.directory);
	const stored = store.read();
	const entry = ownMember(stored, name);
	if (!isJsonObject(entry)) {
		throw new Problem('unknown_route', {message: `No route is named "${safeText(name, {maximumCharacters: 100})}"`});
	}

	store.write({...stored, [name]: {...entry, enabled}});
}

/** Enables the webhook receiver. Without a global secret in config.yaml or `.env`, a random one is written to `.env` first. */
export async function enableWebhooks(paths: Pick<StatePaths, 'config' | 'env'>): Promise<void> {
	const change = await createProfileChange(paths);
	ensureSecret(change, change.variable);
	change.config.set(['platforms', 'webhook', 'enabled'], true);
	await change.commit();
}

const secretName = 'WEBHOOK_SECRET';

/** Adds a random global secret to `.env`, unless there is one. `variable` returns the value of a variable in `.env`. */
export function ensureSecret(change: ProfileChange, variable: (name: string) => string | undefined): void {
	const written = change.config.value();
	const configured = [
		['platforms', 'webhook', 'secret'],
		['platforms', 'webhook', 'extra', 'secret'],
	].some(path => Boolean(valueAt(written, path)));
	if (!configured && !variable(secretName)) {
		change.setVariables({[secretName]: randomBytes(32).toString('base64url')});
	}
}
