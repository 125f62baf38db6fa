import {type Journal} from '../journal/journal.ts';
import {type RemoteMessage, type RemoteOutcome} from '../journal/rows/remote-rows.ts';
import {type MessageAddress} from './channel.ts';

/** A message of this gateway, or one that it took over. */
export type Entry = {
	message: RemoteMessage;
	/** The random value in its buttons; undefined for a message of an earlier start, which decides nothing. */
	readonly nonce: string | undefined;
	/** `deciding`: an input is being carried out, and no other counts. */
	input: 'free' | 'deciding';
	/** `wanted`: the chat shows an earlier form; `running`: it is being changed. */
	edit: 'none' | 'wanted' | 'running';
	/** True once the journal has it as it is. */
	isWritten: boolean;
	/** No edit is tried before then, in milliseconds of `Clock.elapsed`. */
	retryAt: number;
	failures: number;
};

/** The messages of a channel that have not ended, and their rows in the journal. */
export type MessageList = {
	readonly all: () => readonly Entry[];
	readonly find: (address: MessageAddress) => Entry | undefined;
	/** Adds a message that is in the journal already. */
	readonly add: (message: RemoteMessage, nonce: string | undefined) => Entry;
	/** Changes a message, and writes it. Resolves with `lost` where another gateway has taken it over; a journal that is away is tried again by `writeChanged`. */
	readonly change: (entry: Entry, change: Partial<RemoteMessage>) => Promise<'written' | 'waiting' | 'lost'>;
	/** Sets the outcome of an open message, which the chat is still to show. */
	readonly end: (entry: Entry, outcome: RemoteOutcome) => Promise<'written' | 'waiting' | 'lost'>;
	readonly writeChanged: () => Promise<void>;
	readonly clear: () => void;
};

/** Creates an empty list. `onChange` is called after each change that a card shows. */
export function createMessageList(journal: Pick<Journal, 'writeRemoteMessage'>, onChange: () => void): MessageList {
	const entries = new Map<string, Entry>();
	const write = async (entry: Entry) => {
		const {message} = entry;
		entry.isWritten = false;
		let written: boolean;
		try {
			written = await journal.writeRemoteMessage(message);
		} catch {
			// The journal has a fault that is shown; the next round tries again.
			return 'waiting';
		}

		entry.isWritten = entry.message === message;
		if (!written || (message.state === 'ended' && entry.isWritten)) {
			entries.delete(message.id);
		}

		return written ? 'written' : 'lost';
	};

	const change: MessageList['change'] = (entry, changes) => {
		entry.message = {...entry.message, ...changes};
		onChange();
		return write(entry);
	};

	return {
		all: () => [...entries.values()],
		find: ({chat, message}) =>
			[...entries.values()].find(entry => entry.message.chat === chat && entry.message.message === message),
		add(message, nonce) {
			const entry: Entry = {
				message,
				nonce,
				input: 'free',
				edit: 'none',
				isWritten: true,
				retryAt: 0,
				failures: 0,
			};
			entries.set(message.id, entry);
			return entry;
		},
		change,
		end(entry, outcome) {
			entry.edit = entry.edit === 'running' ? 'running' : 'wanted';
			// One that the platform never named cannot be changed.
			const state = entry.message.message === null ? 'ended' : 'ending';
			return change(entry, {state, outcome});
		},
		async writeChanged() {
			for (const entry of [...entries.values()].filter(one => !one.isWritten)) {
				await write(entry);
			}
		},
		clear() {
			entries.clear();
			onChange();
		},
	};
}
