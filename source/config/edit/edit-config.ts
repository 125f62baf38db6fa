import {randomBytes} from 'node:crypto';
import {type Clock} from '../../util/clock.ts';
import {isJsonObject, type JsonObject, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type EditableFile, readForEdit} from '../read/editable-file.ts';
import {type StatePaths} from '../read/state-paths.ts';
import {type LoginFlow} from '../servers/oauth-entry.ts';
import {withConfigLock} from '../values/file-lock.ts';
import {valueAt} from '../values/plain-value.ts';
import {type Documents} from '../values/stored-document.ts';
import {createSubscriptionStore} from '../webhooks/subscriptions.ts';
import {assertFreeName, changeProfile, type ProfileChange} from './profile-change.ts';

/** A server to add: its name and its entry with the keys of docs/tool-servers.md. References are written unresolved. */
export type NewServer = {readonly name: string; readonly entry: JsonObject};

/** Reads, changes and writes config.yaml under its lock. Writes nothing when `change` throws. */
function editConfig(paths: Pick<StatePaths, 'config'>, clock: Clock, change: (file: EditableFile) => void) {
	return withConfigLock(paths, clock, async () => {
		const file = await readForEdit(paths.config);
		change(file);
		await file.save();
	});
}

/** Adds a server to config.yaml without changing anything else. Rejects with a Problem `server_exists` when the name is taken. */
export function addServer(
	{paths, clock}: {readonly paths: Pick<StatePaths, 'config'>; readonly clock: Clock},
	server: NewServer,
): Promise<void> {
	return editConfig(paths, clock, file => {
		assertFreeName(file, server.name);
		file.set(['mcp_servers', server.name], server.entry);
	});
}

/** Enables or disables a server in config.yaml. Rejects with a Problem `unknown_server` for an unknown name. */
export function setServerEnabled(
	{paths, clock}: {readonly paths: Pick<StatePaths, 'config'>; readonly clock: Clock},
	name: string,
	enabled: boolean,
): Promise<void> {
	return editConfig(paths, clock, file => {
		requireServer(file, name);
		file.set(['mcp_servers', name, 'enabled'], enabled);
	});
}

/** Writes `auth: oauth` into the entry of a server, with the flow where one is named. Rejects with a Problem `unknown_server` for an unknown name. */
export function setServerLogin(
	{paths, clock}: {readonly paths: Pick<StatePaths, 'config'>; readonly clock: Clock},
	name: string,
	flow: LoginFlow | undefined,
): Promise<void> {
	return editConfig(paths, clock, file => {
		requireServer(file, name);
		file.set(['mcp_servers', name, 'auth'], 'oauth');
		if (flow !== undefined) {
			file.set(['mcp_servers', name, 'oauth', 'flow'], flow);
		}
	});
}

function requireServer(file: EditableFile, name: string): void {
	if (!file.has(['mcp_servers', name])) {
		throw new Problem('unknown_server', {message: `There is no server named "${safeText(name)}"`});
	}
}

/** Pauses or resumes a route in config.yaml, or else in the subscriptions. Rejects with a Problem `unknown_route` when it is in neither. */
export async function setRouteEnabled(
	{
		paths,
		documents,
		clock,
	}: {readonly paths: Pick<StatePaths, 'config'>; readonly documents: Documents; readonly clock: Clock},
	name: string,
	enabled: boolean,
): Promise<void> {
	const routeKeys = (file: EditableFile) =>
		[
			['platforms', 'webhook', 'extra', 'routes', name],
			['platforms', 'webhook', 'routes', name],
		].find(path => file.has(path));
	if (routeKeys(await readForEdit(paths.config))) {
		await editConfig(paths, clock, file => {
			const keys = routeKeys(file);
			if (!keys) {
				throw unknownRoute(name);
			}

			file.set([...keys, 'enabled'], enabled);
		});
		return;
	}

	await createSubscriptionStore(documents).update(stored => {
		const entry = ownMember(stored, name);
		if (!isJsonObject(entry)) {
			throw unknownRoute(name);
		}

		return {...stored, [name]: {...entry, enabled}};
	}, clock);
}

function unknownRoute(name: string): Problem {
	return new Problem('unknown_route', {message: `No route is named "${safeText(name, {maximumCharacters: 100})}"`});
}

/** Enables the webhook receiver. Without a global secret in config.yaml or `.env`, a random one is written to `.env` first. */
export function enableWebhooks(profile: {
	readonly paths: Pick<StatePaths, 'config' | 'env'>;
	readonly clock: Clock;
}): Promise<void> {
	return changeProfile(profile, change => {
		ensureSecret(change, change.variable);
		change.config.set(['platforms', 'webhook', 'enabled'], true);
	});
}

const secretName = 'WEBHOOK_SECRET';

/** Adds a random global secret to `.env`, unless there is one, and returns it. `variable` returns the value of a variable in `.env`. */
export function ensureSecret(
	change: Pick<ProfileChange, 'config' | 'setVariables'>,
	variable: (name: string) => string | undefined,
): string | undefined {
	const written = change.config.value();
	if (secretKeys.some(path => Boolean(valueAt(written, path))) || variable(secretName)) {
		return undefined;
	}

	const secret = randomBytes(32).toString('base64url');
	change.setVariables({[secretName]: secret});
	return secret;
}

/** Stores a global secret in `.env`; config.yaml refers to it where it has a secret. */
export function setSecret(change: Pick<ProfileChange, 'config' | 'setVariables'>, secret: string): void {
	change.setVariables({[secretName]: secret});
	for (const path of secretKeys.filter(keys => change.config.has(keys))) {
		change.config.set(path, `\${${secretName}}`);
	}
}

const secretKeys = [
	['platforms', 'webhook', 'secret'],
	['platforms', 'webhook', 'extra', 'secret'],
] as const;
