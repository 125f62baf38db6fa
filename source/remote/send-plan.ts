/** Something that waits for a person, as far as sending is decided by it. Times are milliseconds since the epoch. */
type WaitingItem = {
	readonly kind: 'approval' | 'question' | 'inbox';
	readonly id: string;
	readonly requestedAt: number;
};

/** The facts about a chat and its messages. */
export type SendFacts<Item extends WaitingItem> = {
	readonly now: number;
	readonly isHeld: boolean;
	/** True if a person is at a console: a key within the last minute. */
	readonly isAtConsole: boolean;
	readonly delayMilliseconds: number;
	/** The number of channels before this one. */
	readonly place: number;
	/** Oldest first. */
	readonly waiting: readonly Item[];
	/** Ids with a message of their own. */
	readonly sent: ReadonlySet<string>;
	/** Ids that an open summary names. */
	readonly summarized: ReadonlySet<string>;
	/** Times of the latest messages, and of the latest summary. */
	readonly sentAt: readonly number[];
	readonly summaryAt: number;
};

/** The messages to be sent now: one for each of `single`, and one about all of `summary`. */
export type SendPlan<Item> = {readonly single: readonly Item[]; readonly summary: readonly Item[]};

/** At most so many messages about one thing each in a minute, in one chat; above that, one about all that wait. */
export const maxMessagesPerMinute = 6;

export const minuteMilliseconds = 60_000;

/** Decides what is sent now (docs/remote.md, What is sent and when). */
export function planSends<Item extends WaitingItem>(facts: SendFacts<Item>): SendPlan<Item> {
	const {now, isHeld, isAtConsole, delayMilliseconds, place, waiting, sent, summarized, sentAt, summaryAt} = facts;
	if (isHeld) {
		return {single: [], summary: []};
	}

	const waits = (isAtConsole ? delayMilliseconds : 0) + place * delayMilliseconds;
	const due = waiting.filter(({id, requestedAt}) => !sent.has(id) && now - requestedAt >= waits);
	const room = maxMessagesPerMinute - sentAt.filter(time => now - time < minuteMilliseconds).length;
	const single = due.slice(0, Math.max(0, room));
	const rest = due.slice(single.length).filter(({kind}) => kind === 'approval');
	const isNew = rest.some(({id}) => !summarized.has(id));
	return {single, summary: isNew && now - summaryAt >= minuteMilliseconds ? rest : []};
}
