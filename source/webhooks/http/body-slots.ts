import {type Clock} from '../../util/clock.ts';
import {type BodyLimit, type BodyLimits, createBodyBudget} from './body-budget.ts';

/**
Limits the bodies of unproven senders by number and by bytes (docs/webhooks.md, Limits). One that is read is never refused a slot: another one gives
way. Its bytes may be refused as they arrive.
*/
export type BodySlots = {
	readonly limits: BodyLimits;
	readonly take: (route: string) => BodySlot;
	/** Takes a slot for a refused body that is discarded; undefined when bodies that are read have all of them. */
	readonly takeDiscard: (route: string) => DiscardSlot | undefined;
	/** Bytes that bodies hold now. */
	readonly heldBytes: () => number;
};

/** The slot of one body that is being discarded. */
export type DiscardSlot = {
	/** Aborts when the body has to give way. */
	readonly signal: AbortSignal;
	readonly release: () => void;
};

/** The slot of one body that is being read. */
export type BodySlot = DiscardSlot & {
	/** Counts data that arrived; the limit for which it cannot be held. */
	readonly arrived: (bytes: number) => BodyLimit | undefined;
	/** The limit for which the body had to give way. */
	readonly gaveWayFor: () => BodyLimit | undefined;
};

/** Creates free slots. */
export function createBodySlots(limits: BodyLimits, clock: Pick<Clock, 'elapsed'>): BodySlots {
	const budget = createBodyBudget(limits);
	const held = new Map<number, {readonly giveWay: (limit: BodyLimit) => void}>();
	const end = (ended: ReturnType<typeof budget.enter>['ended']) =>
		ended.forEach(({id, limit}) => {
			const slot = held.get(id);
			held.delete(id);
			slot?.giveWay(limit);
		});

	const enter = (route: string, use: 'read' | 'discarded'): BodySlot | undefined => {
		const {id, ended} = budget.enter(route, use, clock.elapsed());
		end(ended);
		if (id === undefined) {
			return undefined;
		}

		const abort = new AbortController();
		let gaveWayFor: BodyLimit | undefined;
		held.set(id, {
			giveWay(limit) {
				gaveWayFor = limit;
				abort.abort();
			},
		});
		return {
			signal: abort.signal,
			gaveWayFor: () => gaveWayFor,
			arrived(bytes) {
				const {ended: others, refused} = budget.arrive(id, bytes, clock.elapsed());
				end(others);
				return refused;
			},
			release() {
				budget.leave(id);
				held.delete(id);
			},
		};
	};

	return {
		limits,
		take(route) {
			const slot = enter(route, 'read');
			if (!slot) {
				throw new RangeError('A route has no slot for bodies');
			}

			return slot;
		},
		takeDiscard: route => enter(route, 'discarded'),
		heldBytes: budget.heldBytes,
	};
}
