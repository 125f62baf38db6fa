import {isJsonObject, ownMember} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {readForEdit} from '../read/file.ts';
import {type StatePaths} from '../read/state-paths.ts';
import {createSubscriptionStore} from './subscriptions.ts';

/** Pauses or resumes a route, where it stands: in config.yaml, or in the file of subscriptions. Throws a Problem `unknown_route` when it is nowhere. */
export async function setRouteEnabled(
	paths: Pick<StatePaths, 'config' | 'directory'>,
	name: string,
	enabled: boolean,
): Promise<void> {
	const file = await readForEdit(paths.config);
	const webhook = ['platforms', 'webhook'];
	const place = [
		[...webhook, 'extra', 'routes', name],
		[...webhook, 'routes', name],
	].find(path => file.has(path));
	if (place) {
		file.set([...place, 'enabled'], enabled);
		await file.save();
		return;
	}

	const store = createSubscriptionStore(paths.directory);
	const stored = store.read();
	const entry = ownMember(stored, name);
	if (!isJsonObject(entry)) {
		throw new Problem('unknown_route', {message: `No route is called "${safeText(name, {maximumCharacters: 100})}"`});
	}

	store.write({...stored, [name]: {...entry, enabled}});
}
