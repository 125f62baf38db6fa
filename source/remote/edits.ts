import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {createInFlight} from '../util/in-flight.ts';
import {Problem} from '../util/problem.ts';
import {type Channel, type MessageEnd} from './channel.ts';
import {endedMessage, messageOf} from './compose-message.ts';
import {settleMilliseconds} from './decide-input.ts';
import {type Entry, type MessageList} from './message-list.ts';

/** Changes of messages in the chat, each tried until it stands. */
export type Edits = {
	/** Begins those that are wanted and due. */
	readonly run: (signal: AbortSignal) => void;
	/** Changes one message now, and resolves when that was tried. */
	readonly runOne: (entry: Entry, signal: AbortSignal) => Promise<void>;
	/** Resolves when none is running. */
	readonly whenDone: (signal: AbortSignal) => Promise<void>;
};

/** A request to a platform takes no longer. */
export const requestMilliseconds = 30_000;

const firstRetryMilliseconds = 2000;
const longestRetryMilliseconds = 60_000;

/** The pause after so many failures, in milliseconds. */
export function retryPause(failures: number): number {
	return Math.min(firstRetryMilliseconds * 2 ** Math.min(failures, 10), longestRetryMilliseconds);
}

/** The end of a request to a platform, at the latest when its time is over. Never rejects. */
export async function requestEnd(
	clock: Clock,
	signal: AbortSignal,
	request: (signal: AbortSignal) => Promise<MessageEnd>,
): Promise<MessageEnd> {
	const reason = () => new Problem('delivery_failed', {message: 'The platform has not answered in time'});
	const deadline = openDeadline(clock, requestMilliseconds, {signal, reason});
	try {
		return await untilAborted(request(deadline.signal), deadline.signal);
	} catch {
		return {kind: 'uncertain', message: 'The platform has not answered in time'};
	} finally {
		deadline.cancel();
	}
}

/** Creates the edits of the messages of a list. */
export function createEdits({
	clock,
	channel,
	list,
	onNotice,
}: {
	readonly clock: Clock;
	readonly channel: Pick<Channel, 'edit' | 'fits'>;
	readonly list: Pick<MessageList, 'all' | 'change'>;
	readonly onNotice: (text: string) => void;
}): Edits {
	const inFlight = createInFlight();
	const settled = async (entry: Entry) => {
		const {message} = entry;
		if (message.state === 'ending') {
			await list.change(entry, {state: 'ended'});
		} else if (message.step.kind === 'choosing' && message.step.countsFrom === null) {
			const countsFrom = clock.now() + settleMilliseconds;
			await list.change(entry, {step: {...message.step, countsFrom}});
		}
	};

	const runOne = async (entry: Entry, signal: AbortSignal) => {
		const {message, nonce = ''} = entry;
		const {edit} = channel;
		entry.edit = 'running';
		const address = {chat: message.chat, message: message.message ?? ''};
		const shown = message.state === 'open' ? messageOf(message, nonce) : endedMessage(message, channel.fits);
		// A message of a channel that changes none has nothing to press.
		const end: MessageEnd = edit
			? await requestEnd(clock, signal, inTime => edit(address, shown, inTime))
			: {kind: 'sent', address};
		const isLatest = entry.message === message;
		entry.edit = isLatest ? 'none' : 'wanted';
		if (end.kind === 'sent') {
			entry.failures = 0;
			await (isLatest && settled(entry));
		} else if (end.kind === 'gone') {
			entry.edit = 'none';
			await list.change(entry, {state: 'ended'});
		} else {
			entry.edit = 'wanted';
			const asked = end.kind === 'refused' ? end.retryAfter : undefined;
			entry.retryAt = clock.elapsed() + Math.max(asked ?? 0, retryPause(entry.failures));
			entry.failures++;
			if (entry.failures === 1) {
				onNotice(`A message could not be changed, and is tried again: ${end.message}`);
			}
		}
	};

	return {
		run(signal) {
			const now = clock.elapsed();
			for (const entry of list.all()) {
				if (entry.edit === 'wanted' && entry.retryAt <= now && !signal.aborted) {
					void inFlight.track(runOne(entry, signal)).catch(() => undefined);
				}
			}
		},
		runOne: (entry, signal) => inFlight.track(runOne(entry, signal)),
		whenDone: signal => inFlight.whenEmpty(signal),
	};
}
