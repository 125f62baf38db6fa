import {z} from 'zod';
import {parseJson} from '../../util/json-text.ts';
import {transformed} from './read-rows.ts';

/** A request for a person that a message is about, with the hash of the arguments that it showed; empty for what has no arguments. */
export type RemoteRequest = {readonly id: string; readonly argumentsHash: string};

/** The subject of a message in a chat. */
export type RemoteSubject = {
	/** `notice`: nothing can be answered to it. */
	readonly kind: 'approval' | 'summary' | 'question' | 'inbox' | 'notice';
	/** One, or all that a summary names. */
	readonly requests: readonly RemoteRequest[];
};

/** The step of the decision about a request. `countsFrom` is set once the numbers stand in the chat. Times are milliseconds since the epoch. */
export type RemoteStep =
	| {readonly kind: 'first'; readonly offers: 'allow' | 'deny'}
	| {
			readonly kind: 'choosing';
			readonly numbers: readonly number[];
			/** The index of the number that allows. */
			readonly right: number;
			readonly countsFrom: number | null;
	  };

/** A part of the text: words of Sluice, or foreign text. */
export type RemotePart = {readonly kind: 'own' | 'foreign'; readonly text: string};

/** The outcome that the message is still to be changed to. The text of a person is foreign. */
export type RemoteOutcome = {readonly text: string; readonly foreign?: string | undefined};

/**
A message in a chat that carries requests to persons (docs/remote.md). `open`: what is pressed there or replied to it may decide; `ending`: its outcome
is still to be written into the chat; `ended`: it stands there, or the message is gone.
*/
export type RemoteMessage = {
	readonly id: string;
	readonly profile: string;
	/** The name of the channel, which says nothing of its token. */
	readonly channel: string;
	readonly state: 'open' | 'ending' | 'ended';
	readonly platform: string;
	readonly chat: string;
	/** The id that the platform gave it; null until it has. */
	readonly message: string | null;
	/** SHA-256 of the random value in its buttons. */
	readonly nonceHash: string;
	readonly subject: RemoteSubject;
	readonly step: RemoteStep;
	/** Null: it does not expire. */
	readonly expiresAt: number | null;
	readonly sentAt: number;
	/** The text as it was sent. */
	readonly parts: readonly RemotePart[];
	readonly outcome?: RemoteOutcome | undefined;
};

/** The gateway that holds a channel; `node` is its name, where several share the journal. */
export type RemoteChannelClaim =
	| {readonly holder: 'this-gateway'}
	| {readonly holder: 'another'; readonly node: string | undefined};

/** More messages than any chat has open. */
export const maxTakenMessages = 2000;

const subject: z.ZodType<RemoteSubject> = z.object({
	kind: z.enum(['approval', 'summary', 'question', 'inbox', 'notice']),
	requests: z.array(z.object({id: z.string(), argumentsHash: z.string()})),
});

const step: z.ZodType<RemoteStep> = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('first'), offers: z.enum(['allow', 'deny'])}),
	z.object({
		kind: z.literal('choosing'),
		numbers: z.array(z.int()),
		right: z.int(),
		countsFrom: z.number().nullable(),
	}),
]);

/** The columns are for statements; the record has everything else. */
const record = z.object({
	platform: z.string(),
	chat: z.string(),
	message: z.string().nullable(),
	nonceHash: z.string(),
	subject,
	step,
	expiresAt: z.number().nullable(),
	sentAt: z.number(),
	parts: z.array(z.object({kind: z.enum(['own', 'foreign']), text: z.string()})),
	outcome: z.object({text: z.string(), foreign: z.string().optional()}).optional(),
});

/** The record of a message, as its column has it. */
export function remoteRecord({id: _id, profile: _profile, channel: _channel, state: _state, ...rest}: RemoteMessage) {
	return JSON.stringify(rest);
}

/** A row of the table. */
export const remoteMessageRow: z.ZodType<RemoteMessage> = z
	.object({
		id: z.string(),
		profile: z.string(),
		channel: z.string(),
		state: z.enum(['open', 'ending', 'ended']),
		record: z.string().transform((text, context) => transformed(context, () => record.parse(parseJson(text)))),
	})
	.transform(({record: written, ...row}): RemoteMessage => ({...row, ...written}));
