/**
A part of a message, which begins on a line of its own: words of Sluice, or foreign text, which a platform shows as it is, without formatting,
links or mentions.
*/
export type MessagePart = {readonly kind: 'own' | 'foreign'; readonly text: string};

/** A button of a message. */
export type MessageButton = {
	readonly label: string;
	/** At most 64 bytes; comes back with a press. */
	readonly value: string;
	readonly tone: 'plain' | 'danger';
};

/** A message as a channel sends it. Texts have passed safe-text, secrets are masked. */
export type ChannelMessage = {
	readonly parts: readonly MessagePart[];
	/** Rows of buttons; none: nothing can be pressed. */
	readonly buttons: readonly (readonly MessageButton[])[];
};

/** The place of a message: ids of the platform, as text. */
export type MessageAddress = {readonly chat: string; readonly message: string};

/** A person of the platform: its id decides, its name is foreign text. */
export type ChannelPerson = {readonly id: string; readonly name: string};

/**
An act of a person that the platform reported. The channel has checked the type of every field, and that a person did it by themselves: what comes
from bots, anonymous administrators, forwards, edits, inline messages and channel posts never becomes an input. All else is for the caller to
check: whether the person may decide, and whether the message had this button.
*/
export type ChannelInput = {
	/** The message of ours that was pressed or replied to; of a private message, the message itself. */
	readonly address: MessageAddress;
	readonly person: ChannelPerson;
	/** True for what may have been done before this start of the channel: it decides nothing (docs/remote.md). */
	readonly isOld: boolean;
	readonly act:
		| {
				readonly kind: 'press';
				readonly value: string /** The id by which it is acknowledged. */;
				readonly press: string;
		  }
		| {readonly kind: 'reply'; readonly text: string}
		/** A private message that replies to nothing. */
		| {readonly kind: 'private-message'; readonly text: string};
};

/** The state of a channel. `rejected`: nothing is tried again until the configuration changes; `message` says why and what to do. */
export type ChannelState =
	| {readonly kind: 'connecting'}
	| {readonly kind: 'connected'}
	| {readonly kind: 'away'; readonly message: string}
	| {readonly kind: 'rejected'; readonly message: string};

/** The end of a send or an edit. `uncertain`: the message may stand there; `gone`: it, or its chat, is no longer there, or not ours to change. */
export type MessageEnd =
	| {readonly kind: 'sent'; readonly address: MessageAddress}
	| {
			readonly kind: 'refused';
			readonly message: string /** In milliseconds; absent: as the caller likes. */;
			readonly retryAfter?: number;
	  }
	| {readonly kind: 'gone'; readonly message: string}
	| {readonly kind: 'uncertain'; readonly message: string};

/** Calls of a channel that receives. None of them may throw. */
export type ChannelListener = {
	readonly onState: (state: ChannelState) => void;
	/** Proof that the platform answers: an answered poll, a hello or a pong. */
	readonly onAlive: () => void;
	/** Everything that came from before this start has been reported as old; what comes now is not. */
	readonly onCurrent: () => void;
	/** The next input is reported when it is resolved; an input counts as received only then. */
	readonly onInput: (input: ChannelInput) => Promise<void>;
	/** For one line of the log, in words of Sluice alone: something only looks like an input, or may keep inputs away. Never about ordinary talk in a chat. */
	readonly onNotice?: (text: string) => void;
};

/** A chat of a platform that carries requests to persons (docs/remote.md): one file per platform, one entry in `channels.ts`. */
export type Channel = {
	/** True if the message fits into one message of the platform, with every byte of its parts. */
	readonly fits: (message: ChannelMessage) => boolean;
	/** Receives until it is aborted, with back-off while the platform is away. Resolves then, or when the platform rejects it for good. Absent: a channel of notices. */
	readonly receive?: (listener: ChannelListener, signal: AbortSignal) => Promise<void>;
	readonly send: (message: ChannelMessage, signal: AbortSignal) => Promise<MessageEnd>;
	/** Sends to the private chat of one person, by the id of the platform. */
	readonly sendToPerson?: (person: string, message: ChannelMessage, signal: AbortSignal) => Promise<MessageEnd>;
	/** Replaces text and buttons. */
	readonly edit?: (address: MessageAddress, message: ChannelMessage, signal: AbortSignal) => Promise<MessageEnd>;
	/** Tells who pressed, and nobody else; an empty text only ends the waiting of their app. Best effort: never rejects. */
	readonly acknowledge?: (input: ChannelInput, text: string, signal: AbortSignal) => Promise<void>;
};
