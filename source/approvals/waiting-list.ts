import {type Clock} from '../util/clock.ts';

/** What waits for a person: an identifier and a deadline, in milliseconds since the epoch. */
export type WaitingCard = {readonly id: string; readonly requestedAt: number; readonly expiresAt: number};

/** Cards that wait for their end. */
export type WaitingList<Card extends WaitingCard, Event, Outcome> = {
	/** Announces the card and waits until something settles it: an answer, its deadline, the signal, a withdrawal. */
	readonly wait: (card: Card, signal: AbortSignal | undefined) => Promise<Outcome>;
	/** Ends a waiting card. False when it has ended before or never was. */
	readonly settle: (id: string, event: Event) => boolean;
	/** Ends a card that was never announced. */
	readonly refuse: (card: Card, event: Event) => Outcome;
	readonly find: (id: string) => Card | undefined;
	/** Oldest first. */
	readonly list: () => readonly Card[];
};

/** Opens an empty list. The first event decides about a card; every later one finds it gone. */
export function createWaitingList<Card extends WaitingCard, Event, Outcome>(options: {
	readonly clock: Clock;
	readonly outcomeOf: (event: Event) => Outcome;
	readonly deadlinePassed: Event;
	readonly withdrawn: Event;
	readonly announce: (card: Card) => void;
	readonly tellEnd: (card: Card, outcome: Outcome) => void;
}): WaitingList<Card, Event, Outcome> {
	const {clock, outcomeOf, announce, tellEnd} = options;
	const entries = new Map<string, {readonly card: Card; readonly conclude: (event: Event) => void}>();

	/** The only way out of the list. Taking the entry away first lets exactly one event decide. */
	const settle = (id: string, event: Event): boolean => {
		const entry = entries.get(id);
		entries.delete(id);
		entry?.conclude(event);
		return entry !== undefined;
	};

	return {
		settle,
		wait: (card, signal) =>
			new Promise(resolve => {
				const onAbort = () => void settle(card.id, options.withdrawn);
				const onDeadline = () => void settle(card.id, options.deadlinePassed);
				const deadline = clock.after(card.expiresAt - card.requestedAt, onDeadline);
				signal?.addEventListener('abort', onAbort, {once: true});
				entries.set(card.id, {
					card,
					conclude(event) {
						deadline.cancel();
						signal?.removeEventListener('abort', onAbort);
						const outcome = outcomeOf(event);
						resolve(outcome);
						tellEnd(card, outcome);
					},
				});
				announce(card);
			}),
		refuse(card, event) {
			const outcome = outcomeOf(event);
			tellEnd(card, outcome);
			return outcome;
		},
		find: id => entries.get(id)?.card,
		list: () => Array.from(entries.values(), entry => entry.card),
	};
}
