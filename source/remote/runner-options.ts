import {type SentArguments} from '../config/read/remote-config.ts';
import {type Journal} from '../journal/journal.ts';
import {type RemoteMessage, type RemoteOutcome, type RemoteRequest} from '../journal/rows/remote-rows.ts';
import {type ApprovalRequest} from '../state/approval-event.ts';
import {type Verdict} from '../state/person-answers.ts';
import {type QuestionDetails} from '../state/person-event.ts';
import {type Clock} from '../util/clock.ts';
import {type Channel, type ChannelState} from './channel.ts';

/** The purpose of a channel: its name in the journal, its place among those of its profile, and who may decide there. */
export type ChannelPlace = {
	/** Names the channel to all gateways of a journal, and says nothing of its token. */
	readonly name: string;
	readonly profile: string;
	readonly platform: string;
	readonly chat: string;
	/** The number of channels before it. */
	readonly place: number;
	readonly approvers: readonly string[];
	readonly send: SentArguments;
};

/** The state of a channel: as the platform says, or held by another gateway of the journal. */
export type RunnerState = ChannelState | {readonly kind: 'elsewhere'; readonly node: string | undefined};

/** Something that waits for a person. Times are milliseconds since the epoch; null: it has no end. */
export type RemoteItem = {
	readonly id: string;
	readonly requestedAt: number;
	readonly expiresAt: number | null;
} & (
	| {readonly kind: 'approval'; readonly request: ApprovalRequest}
	| {readonly kind: 'question'; readonly question: QuestionDetails}
	| {readonly kind: 'inbox'; readonly prompt: string}
);

/** The result of an answer: it decided, it came too late, or the request is another one by now. */
export type AnswerResult = 'resolved' | 'already-settled' | 'changed' | 'not-offered';

/** The acts that an input may lead to. `by` names the person: `telegram:456`. They reject when it cannot be known whether an answer counts. */
export type InputActs = {
	readonly answer: (request: RemoteRequest, verdict: Verdict, by: string) => Promise<AnswerResult>;
	/** The problem that keeps a text from being an answer; undefined once it counts. */
	readonly answerText: (
		answer: {readonly to: 'question' | 'inbox'; readonly id: string; readonly text: string},
		by: string,
	) => Promise<string | undefined>;
	readonly hold: (by: string) => Promise<void>;
};

/** The parts of a gateway that a channel works with. */
export type RunnerOptions = {
	readonly clock: Clock;
	readonly place: ChannelPlace;
	readonly channel: Channel;
	readonly journal: Pick<
		Journal,
		'claimRemoteChannel' | 'releaseRemoteChannel' | 'takeRemoteMessages' | 'writeRemoteMessage'
	>;
	/** The channel is given up when its claim could not be renewed for so long. */
	readonly leaseMilliseconds: () => number;
	/** All that waits for a person, oldest first. */
	readonly waiting: () => readonly RemoteItem[];
	readonly times: () => {
		readonly delayMilliseconds: number;
		readonly isHeld: boolean;
		/** True if a person is at a console: a key within the last minute. */
		readonly isAtConsole: boolean;
	};
	/** The outcome of what a message is about; undefined while any of it waits. */
	readonly outcomeOf: (message: RemoteMessage) => Promise<RemoteOutcome | undefined>;
	readonly acts: InputActs;
	/** A whole number from 0 up to its argument, without it. */
	readonly random: (below: number) => number;
	/** Called after each change of what a person sees: states and messages. */
	readonly onChange: () => void;
	/** One line for the log. */
	readonly onNotice: (text: string) => void;
	/** Called with the ids of what has a message now. */
	readonly onSent: (ids: readonly string[]) => void;
};
