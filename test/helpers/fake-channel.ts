import {
	type Channel,
	type ChannelInput,
	type ChannelListener,
	type ChannelMessage,
	type ChannelPerson,
	type MessageEnd,
} from '../../source/remote/channel.ts';
import {textOf} from './remote-requests.ts';

/** A chat in this process, behind the interface of a channel. */
export type FakeChannel = Channel & {
	/** The messages as they stand there, by id, and how often each was edited. */
	readonly messages: Map<string, {message: ChannelMessage; edits: number}>;
	/** What persons were told after a press. */
	readonly told: string[];
	/** Ends of the next sends and edits, in place of success. */
	readonly failing: {sends: MessageEnd[]; edits: MessageEnd[]};
	/** The gateway that receives; undefined: none. */
	readonly listener: () => ChannelListener | undefined;
	/** Presses the button with this label; the newest message is the default. */
	readonly press: (
		label: string,
		changes?: {readonly by?: string; readonly id?: string; readonly isOld?: boolean},
	) => Promise<void>;
	readonly reply: (text: string, changes?: {readonly by?: string; readonly id?: string}) => Promise<void>;
	readonly text: (id?: string) => string;
	readonly labels: (id?: string) => readonly string[];
	/** The right number in the last line. */
	readonly right: (id?: string) => string;
};

export const fakeChat = '-100123';

/** Creates an empty chat that answers at once. */
export function createFakeChannel({current = 'at once'}: {readonly current?: 'at once' | 'later'} = {}): FakeChannel {
	const messages: FakeChannel['messages'] = new Map();
	const told: string[] = [];
	const failing: FakeChannel['failing'] = {sends: [], edits: []};
	let listener: ChannelListener | undefined;
	let presses = 0;
	const newest = () => [...messages.keys()].at(-1) ?? '';
	const report = async (act: ChannelInput['act'], {by, id, isOld}: {by: string; id: string; isOld: boolean}) => {
		const person: ChannelPerson = {id: by, name: 'Ada'};
		await listener?.onInput({address: {chat: fakeChat, message: id}, person, isOld, act});
	};

	return {
		messages,
		told,
		failing,
		listener: () => listener,
		fits: message => textOf(message).length <= 4096,
		receive: (given, signal) =>
			new Promise(resolve => {
				listener = given;
				given.onState({kind: 'connected'});
				given.onAlive();
				if (current === 'at once') {
					given.onCurrent();
				}

				signal.addEventListener('abort', () => {
					listener = listener === given ? undefined : listener;
					resolve();
				});
			}),
		async send(message) {
			const failed = failing.sends.shift();
			if (failed) {
				return failed;
			}

			const id = String(messages.size + 1);
			messages.set(id, {message, edits: 0});
			return {kind: 'sent', address: {chat: fakeChat, message: id}};
		},
		async edit(address, message) {
			const failed = failing.edits.shift();
			if (failed) {
				return failed;
			}

			const shown = messages.get(address.message);
			if (!shown) {
				return {kind: 'gone', message: 'no such message'};
			}

			messages.set(address.message, {message, edits: shown.edits + 1});
			return {kind: 'sent', address};
		},
		async acknowledge(_, text) {
			told.push(text);
		},
		async press(label, {by = '456', id = newest(), isOld = false} = {}) {
			const button = messages
				.get(id)
				?.message.buttons.flat()
				.find(one => one.label === label);
			if (!button) {
				throw new Error(`The message has no button ${label}`);
			}

			presses++;
			await report({kind: 'press', value: button.value, press: String(presses)}, {by, id, isOld});
		},
		reply: (text, {by = '456', id = newest()} = {}) => report({kind: 'reply', text}, {by, id, isOld: false}),
		text: (id = newest()) => textOf(messages.get(id)?.message ?? {parts: []}),
		labels: (id = newest()) => (messages.get(id)?.message.buttons ?? []).flat().map(({label}) => label),
		right: (id = newest()) => /press (\d\d)\./u.exec(textOf(messages.get(id)?.message ?? {parts: []}))?.[1] ?? '',
	};
}
