import {type RemoteMessage} from '../journal/rows/remote-rows.ts';
import {orderedId} from '../util/random-id.ts';
import {createNonce, nonceHash} from './button-value.ts';
import {type Channel, type MessageEnd} from './channel.ts';
import {type ComposedMessage, composeRequest, fittedParts, messageOf} from './compose-message.ts';
import {requestEnd, retryPause} from './edits.ts';
import {type Entry, type MessageList} from './message-list.ts';
import {expiryNote, inboxText, questionText, summaryText} from './request-message.ts';
import {type ChannelPlace, type RemoteItem, type RunnerOptions} from './runner-options.ts';
import {minuteMilliseconds, planSends} from './send-plan.ts';

/** The messages that are sent. */
export type Sends = {
	/** Sends what is due. Resolves when that was tried. */
	readonly run: (signal: AbortSignal) => Promise<void>;
	/** Resolves when nothing is being sent: an answer to it may come before its address is known. */
	readonly whenAddressed: () => Promise<void>;
	/** The reason that the last message did not arrive. */
	readonly fault: () => string | undefined;
};

type SendOptions = Pick<
	RunnerOptions,
	'clock' | 'place' | 'channel' | 'waiting' | 'times' | 'onSent' | 'onChange' | 'onNotice'
> & {
	readonly list: MessageList;
};

/** A message that is to be sent. */
type Draft = Pick<RemoteMessage, 'subject' | 'expiresAt'> & {readonly composed: ComposedMessage};

/** Creates the sends of a channel. */
export function createSends(options: SendOptions): Sends {
	const {clock, place, channel, waiting, times, list} = options;
	const failures = createSendFailures(options);
	let sentAt: readonly number[] = [];
	let summaryAt = Number.NEGATIVE_INFINITY;
	let sending: Promise<unknown> = Promise.resolve();
	/** Notices of what still waits: nothing is pressed there, so none is sent twice. */
	let noticed: ReadonlySet<string> = new Set();

	const sendItem = async (item: RemoteItem, signal: AbortSignal) => {
		sentAt = [...sentAt.filter(time => clock.now() - time < minuteMilliseconds), clock.now()];
		noticed = channel.receive === undefined ? new Set([...noticed, item.id]) : noticed;
		await sendDraft(itemDraft(item, {place, channel}), {...options, onEnd: failures.note}, signal);
	};

	const sendSummary = async (items: readonly RemoteItem[], signal: AbortSignal) => {
		summaryAt = clock.now();
		const former = list.all().filter(({message}) => message.state === 'open' && message.subject.kind === 'summary');
		await sendDraft(summaryDraft(items, channel), {...options, onEnd: failures.note}, signal);
		for (const entry of former.filter(({message, input}) => message.state === 'open' && input === 'free')) {
			await list.end(entry, {text: 'A newer message says what waits'});
		}
	};

	const plan = () => {
		const items = waiting();
		noticed = new Set([...noticed].filter(id => items.some(item => item.id === id)));
		const {own, summarized} = openRequests(list.all().map(({message}) => message));
		const sent = new Set([...own, ...noticed]);
		const now = clock.now();
		return planSends({...times(), now, place: place.place, waiting: items, sent, summarized, sentAt, summaryAt});
	};

	return {
		async run(signal) {
			if (failures.isPaused()) {
				return;
			}

			const {single, summary} = plan();
			for (const work of [
				...single.map(item => () => sendItem(item, signal)),
				...(summary.length > 0 ? [() => sendSummary(summary, signal)] : []),
			]) {
				if (signal.aborted || failures.isPaused() || times().isHeld) {
					return;
				}

				const sent = work();
				sending = sent.catch(() => undefined);
				await sent;
			}
		},
		whenAddressed: async () => void (await sending),
		fault: failures.fault,
	};
}

/** The failures of a channel to send, and the pause after each. */
type SendFailures = {
	/** Notes the end of a request to send. */
	readonly note: (end: MessageEnd) => void;
	readonly isPaused: () => boolean;
	/** The reason that the last message did not arrive. */
	readonly fault: () => string | undefined;
};

function createSendFailures({
	clock,
	onChange,
	onNotice,
}: Pick<SendOptions, 'clock' | 'onChange' | 'onNotice'>): SendFailures {
	let fault: string | undefined;
	let failures = 0;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	return {
		note(end) {
			if (end.kind === 'sent') {
				failures = 0;
				fault = undefined;
				return;
			}

			if (fault === undefined) {
				onNotice(`A message was not sent: ${end.message}`);
			}

			fault = end.message;
			const asked = end.kind === 'refused' ? (end.retryAfter ?? 0) : 0;
			pausedUntil = clock.elapsed() + Math.max(retryPause(failures), asked);
			failures++;
			onChange();
		},
		isPaused: () => clock.elapsed() < pausedUntil,
		fault: () => fault,
	};
}

/** Sends a message. The journal has it first, so that no message in the chat is unknown to it. */
async function sendDraft(
	draft: Draft,
	options: SendOptions & {readonly onEnd: (end: MessageEnd) => void},
	signal: AbortSignal,
): Promise<void> {
	const {clock, place, channel, list, onSent, onEnd} = options;
	const nonce = createNonce();
	const message = newMessage(draft, {nonce, place, now: clock.now()});
	const entry = list.add(message, nonce);
	if ((await list.change(entry, {})) !== 'written') {
		await list.change(entry, {state: 'ended'});
		return;
	}

	const end = await requestEnd(clock, signal, inTime => channel.send(messageOf(message, nonce), inTime));
	onEnd(end);
	if (end.kind !== 'sent') {
		await list.change(entry, {state: 'ended'});
		return;
	}

	await list.change(entry, end.address);
	onSent(draft.subject.requests.map(({id}) => id));
}

/** A message as the journal has it before the platform has named it. */
function newMessage(
	{subject, expiresAt, composed}: Draft,
	{nonce, place, now}: {readonly nonce: string; readonly place: ChannelPlace; readonly now: number},
): RemoteMessage {
	return {
		id: orderedId(now),
		profile: place.profile,
		channel: place.name,
		state: 'open',
		platform: place.platform,
		chat: place.chat,
		message: null,
		nonceHash: nonceHash(nonce),
		subject,
		expiresAt,
		sentAt: now,
		...composed,
	};
}

/** The ids that open messages are about: in a message of their own, and in a summary. */
function openRequests(messages: readonly RemoteMessage[]): {
	readonly own: readonly string[];
	readonly summarized: ReadonlySet<string>;
} {
	const open = messages.filter(({state}) => state === 'open');
	const idsOf = (isSummary: boolean) =>
		open
			.filter(({subject}) => (subject.kind === 'summary') === isSummary)
			.flatMap(({subject}) => subject.requests.map(({id}) => id));
	return {own: idsOf(false), summarized: new Set(idsOf(true))};
}

/** The message about one thing that waits: a notice where nothing can be pressed. */
function itemDraft(item: RemoteItem, {place, channel}: Pick<SendOptions, 'place' | 'channel'>): Draft {
	const argumentsHash = item.kind === 'approval' ? item.request.argumentsHash : '';
	const kind = channel.receive === undefined ? 'notice' : item.kind;
	return {
		subject: {kind, requests: [{id: item.id, argumentsHash}]},
		expiresAt: item.expiresAt,
		composed: compose(item, {place, channel}),
	};
}

/** One message about all of the requests. */
function summaryDraft(items: readonly RemoteItem[], {fits}: Pick<Channel, 'fits'>): Draft {
	const requests = items.flatMap(item => (item.kind === 'approval' ? [item.request] : []));
	return {
		subject: {kind: 'summary', requests: requests.map(({id, argumentsHash}) => ({id, argumentsHash}))},
		expiresAt: null,
		composed: {parts: fittedParts(summaryText(requests), fits), step: {kind: 'first', offers: 'deny'}},
	};
}

function compose(
	item: RemoteItem,
	{place, channel}: {readonly place: Pick<RunnerOptions['place'], 'send'>; readonly channel: Pick<Channel, 'fits'>},
): ComposedMessage {
	const {fits} = channel;
	const step = {kind: 'first', offers: 'deny'} as const;
	switch (item.kind) {
		case 'approval':
			return composeRequest(item.request, {send: place.send, fits});
		case 'question':
			return {parts: fittedParts(questionText(item.question), fits), step};
		case 'inbox':
			return {parts: fittedParts(inboxText({runId: item.id, prompt: item.prompt}), fits), step};
	}
}

/** Gives a message the time that its request has now: it stands still during a hold, and goes on after it. */
export async function renewExpiry(
	entry: Entry,
	waiting: readonly RemoteItem[],
	list: Pick<MessageList, 'change'>,
): Promise<void> {
	const {expiresAt: before, state, subject, parts} = entry.message;
	const [request] = subject.requests;
	const item = state === 'open' && subject.kind !== 'summary' ? waiting.find(({id}) => id === request?.id) : undefined;
	if (!item || item.expiresAt === before) {
		return;
	}

	const {expiresAt} = item;
	if (expiresAt === null) {
		await list.change(entry, {expiresAt});
		return;
	}

	const time = expiryNote(expiresAt);
	const renewed = parts.map(part =>
		part.kind === 'own' ? {...part, text: part.text.replace(/^Expires at .*$/mu, time)} : part,
	);
	entry.edit = 'wanted';
	await list.change(entry, {expiresAt, parts: renewed});
}
