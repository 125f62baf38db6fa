import {type Client} from '@modelcontextprotocol/client';
import {type Clock} from '../../util/clock.ts';
import {type ServerNotice} from '../connection.ts';
import {type Era} from './connection-state.ts';
import {openResourceFeed, type ResourceFeed} from './resource-feed.ts';
import {createGathered, type Gathered} from './gathered.ts';
import {openListening} from './listening.ts';

/** The changes that a server announces on one session. */
export type ChangeFeed = Pick<ResourceFeed, 'subscribe' | 'unsubscribe'> & {readonly close: () => void};

type ChangeFeedOptions = {
	readonly client: Client;
	readonly era: Era;
	readonly clock: Clock;
	/** The resources whose changes are wanted; they outlast the session. */
	readonly subscribed: Set<string>;
	/** Called once for a burst of notifications about the list of tools. */
	readonly onToolsChanged: () => void;
	readonly onNotice: (notice: ServerNotice) => void;
};

/**
Listens for changes of what a server offers: by notification in the legacy era, by a listen subscription in the stateless one
(docs/connections.md, States). A subscription that breaks off is reopened, a bounded number of times in a row.
*/
export function openChangeFeed(options: ChangeFeedOptions): ChangeFeed {
	const {client, era, clock, onNotice} = options;
	const {tools, prompts, resources} = client.getServerCapabilities() ?? {};
	const lists = {
		tools: createGathered(clock, options.onToolsChanged),
		prompts: createGathered(clock, () => onNotice({kind: 'prompts-changed'})),
		resources: createGathered(clock, () => onNotice({kind: 'resources-changed'})),
	} satisfies Readonly<Record<string, Gathered>>;
	client.setNotificationHandler('notifications/tools/list_changed', lists.tools.changed);
	client.setNotificationHandler('notifications/prompts/list_changed', lists.prompts.changed);
	client.setNotificationHandler('notifications/resources/list_changed', lists.resources.changed);

	const filter = {
		...(tools?.listChanged && {toolsListChanged: true}),
		...(prompts?.listChanged && {promptsListChanged: true}),
		...(resources?.listChanged && {resourcesListChanged: true}),
	};
	const missed = () => {
		// Changes in between were not notified.
		Object.values(lists).forEach(list => list.changed());
	};

	const isListening = era === 'stateless' && Object.keys(filter).length > 0;
	const listening = isListening ? openListening({client, clock, filter, onMissed: missed}) : undefined;
	// A server that does not support it is listed again at the next connect.
	listening?.opened.catch(() => undefined);
	const feed = openResourceFeed(options);

	return {
		...feed,
		close() {
			Object.values(lists).forEach(list => list.cancel());
			listening?.close();
			feed.close();
		},
	};
}
