import {type Client} from '@modelcontextprotocol/client';
import {type Clock, type Timer} from '../../util/clock.ts';
import {noSdkTimeout} from '../protocol/handshake.ts';
import {type Era} from './connection-state.ts';

const pauseMilliseconds = 5000;
const attemptLimit = 5;
/** A subscription that lasted this long resets the attempts to zero. */
const goodMilliseconds = 60_000;

/**
Listens for changes of a server's tools: by notification in the legacy era, by a listen subscription in the stateless one
(docs/connections.md, States). A subscription that breaks off is reopened, a bounded number of times in a row.
*/
export function openChangeFeed(options: {
	readonly client: Client;
	readonly era: Era;
	readonly clock: Clock;
	/** Called once for a burst of notifications. */
	readonly onChange: () => void;
}): {readonly close: () => void} {
	const {client, era, clock} = options;
	const notices = createRelisting(clock, options.onChange);
	const controller = new AbortController();
	let timer: Timer | undefined;
	let attempts = 0;
	let heardBefore = false;

	const listen = async () => {
		attempts++;
		const options = {signal: controller.signal, timeout: noSdkTimeout};
		try {
			const subscription = await client.listen({toolsListChanged: true}, options);
			if (heardBefore) {
				// Changes in between were not notified.
				notices.changed();
			}

			heardBefore = true;
			const started = clock.elapsed();
			await subscription.closed;
			attempts = clock.elapsed() - started >= goodMilliseconds ? 0 : attempts;
		} catch {
			// Not supported, or closed before it began: retry after the pause below.
		}

		if (!controller.signal.aborted && attempts < attemptLimit) {
			timer = clock.after(pauseMilliseconds, () => void listen());
		}
	};

	client.setNotificationHandler('notifications/tools/list_changed', notices.changed);
	if (era === 'stateless' && client.getServerCapabilities()?.tools?.listChanged) {
		void listen();
	}

	return {
		close() {
			notices.cancel();
			timer?.cancel();
			controller.abort();
		},
	};
}

/** Collects notifications that a list has changed. */
type Relisting = {
	readonly changed: () => void;
	readonly cancel: () => void;
};

const gatherMilliseconds = 250;

/** The first notification starts a short wait, and `list` runs once at its end: fifty notifications a second cause four listings. */
function createRelisting(clock: Clock, list: () => void): Relisting {
	let timer: Timer | undefined;
	return {
		changed() {
			timer ??= clock.after(gatherMilliseconds, () => {
				timer = undefined;
				list();
			});
		},
		cancel() {
			timer?.cancel();
			timer = undefined;
		},
	};
}
