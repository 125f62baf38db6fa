import {type Client} from '@modelcontextprotocol/client';
import {type Clock, type Timer} from '../../util/clock.ts';
import {noSdkTimeout} from '../protocol/handshake.ts';

const pauseMilliseconds = 5000;
const attemptLimit = 5;
/** A subscription that lasted this long resets the attempts to zero. */
const goodMilliseconds = 60_000;

type ListenFilter = Parameters<Client['listen']>[0];

/** A subscription of the stateless era that is opened again when it breaks off. */
type Listening = {
	/** The changes that the server announces from now on. Rejects when it refuses the first time; further attempts follow. */
	readonly opened: Promise<ListenFilter>;
	readonly close: () => void;
};

/** Opens one. `onMissed` is called when it was opened again: changes in between were not announced. */
export function openListening(options: {
	readonly client: Client;
	readonly clock: Clock;
	readonly filter: ListenFilter;
	readonly onMissed: () => void;
}): Listening {
	const {client, clock, filter, onMissed} = options;
	const controller = new AbortController();
	const opened = Promise.withResolvers<ListenFilter>();
	let timer: Timer | undefined;
	let attempts = 0;
	let heardBefore = false;

	const listen = async () => {
		attempts++;
		try {
			const subscription = await client.listen(filter, {signal: controller.signal, timeout: noSdkTimeout});
			opened.resolve(subscription.honoredFilter);
			if (heardBefore) {
				onMissed();
			}

			heardBefore = true;
			const started = clock.elapsed();
			await subscription.closed;
			attempts = clock.elapsed() - started >= goodMilliseconds ? 0 : attempts;
		} catch (error) {
			// Not supported, or closed before it began: retry after the pause below.
			opened.reject(error);
		}

		if (!controller.signal.aborted && attempts < attemptLimit) {
			timer = clock.after(pauseMilliseconds, () => void listen());
		}
	};

	void listen();
	return {
		opened: opened.promise,
		close() {
			timer?.cancel();
			controller.abort();
		},
	};
}
