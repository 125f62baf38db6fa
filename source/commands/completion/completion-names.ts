import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readConfigFile} from '../../config/read/file.ts';
import {toJsonObject, valueAt} from '../../config/values/plain-value.ts';
import {type StatePaths} from '../../config/read/state-paths.ts';
import {createSubscriptionStore} from '../../config/webhooks/subscriptions.ts';
import {deliveryTargets} from '../../config/platforms/platform-keys.ts';
import {type Completion} from './complete-line.ts';

type Kind = Extract<Completion, {kind: 'names'}>['of'];

/** The names of one kind, as the files of the state directory have them. Files and folders are the shell's to complete. */
export async function completionNames(kind: Kind, paths: StatePaths): Promise<readonly string[]> {
	switch (kind) {
		case 'server':
			return keysBelow(paths, ['mcp_servers']);
		case 'route':
			return routeNames(paths);
		case 'profile':
			return ['default', ...(await readdir(join(paths.root, 'profiles')).catch(() => []))];
		case 'target':
			return deliveryTargets;
		case 'event':
		case 'directory':
		case 'file':
			return [];
	}
}

async function routeNames(paths: StatePaths): Promise<readonly string[]> {
	const configured = await Promise.all([
		keysBelow(paths, ['platforms', 'webhook', 'routes']),
		keysBelow(paths, ['platforms', 'webhook', 'extra', 'routes']),
	]);
	return [...new Set([...configured.flat(), ...Object.keys(createSubscriptionStore(paths.directory).read())])];
}

async function keysBelow(paths: StatePaths, keys: readonly string[]): Promise<readonly string[]> {
	const file = await readConfigFile(paths.config);
	return file.kind === 'read' ? Object.keys(toJsonObject(valueAt(file.value, keys))) : [];
}
