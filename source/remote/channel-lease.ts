import {type Journal} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';

/** The hold of this gateway on a channel: one gateway of a journal has it. */
export type ChannelLease = {
	/** Claims the channel, or renews the claim when it is time. Never rejects. */
	readonly renew: () => Promise<void>;
	readonly release: () => void;
};

type LeaseOptions = {
	readonly clock: Pick<Clock, 'elapsed'>;
	readonly place: {readonly name: string};
	readonly journal: Pick<Journal, 'claimRemoteChannel' | 'releaseRemoteChannel'>;
	readonly leaseMilliseconds: () => number;
	/** Called once when the channel is held; it is claimed again when this rejects. */
	readonly onHeld: () => Promise<void>;
	/** Called when another gateway, with this name if it has one, holds it, or may. */
	readonly onLost: (node: string | undefined) => void;
};

const renewMilliseconds = 5000;

/** Creates the hold; nothing is claimed before `renew`. */
export function createChannelLease(options: LeaseOptions): ChannelLease {
	const {clock, place, journal, leaseMilliseconds, onHeld, onLost} = options;
	let triedAt = Number.NEGATIVE_INFINITY;
	let heldAt = Number.NEGATIVE_INFINITY;
	let state: 'unknown' | 'held' | 'elsewhere' = 'unknown';
	const claim = async () => {
		const begunAt = clock.elapsed();
		const claimed = await journal.claimRemoteChannel(place.name);
		if (claimed.holder === 'another') {
			state = 'elsewhere';
			onLost(claimed.node);
			return;
		}

		heldAt = begunAt;
		if (state !== 'held') {
			await onHeld();
			state = 'held';
		}
	};

	return {
		async renew() {
			const now = clock.elapsed();
			if (now - triedAt < renewMilliseconds) {
				return;
			}

			triedAt = now;
			try {
				await claim();
			} catch {
				// The journal is away. Another gateway may have the channel once the lease of this one is over.
				if (state === 'held' && now - heldAt > leaseMilliseconds()) {
					state = 'unknown';
					onLost(undefined);
				}
			}
		},
		release: () => journal.releaseRemoteChannel(place.name),
	};
}
