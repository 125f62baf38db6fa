import {type RemoteMessage, type RemoteSubject} from '../journal/rows/remote-rows.ts';
import {orderedId} from '../util/random-id.ts';
import {createNonce, nonceHash} from './button-value.ts';
import {type Channel, type MessageEnd} from './channel.ts';
import {type ComposedMessage, composeRequest, fittedParts, messageOf} from './compose-message.ts';
import {requestEnd, retryPause} from './edits.ts';
import {type Entry, type MessageList} from './message-list.ts';
import {expiryNote, inboxText, questionText, summaryText} from './request-message.ts';
import {type RemoteItem, type RunnerOptions} from './runner-options.ts';
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

/** Creates the sends of a channel. */
export function createSends(options: SendOptions): Sends {
	const {clock, place, channel, waiting, times, list, onSent, onChange} = options;
	let sentAt: readonly number[] = [];
	let summaryAt = Number.NEGATIVE_INFINITY;
	let fault: string | undefined;
	let failures = 0;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let sending: Promise<unknown> = Promise.resolve();
	/** Notices of what still waits: nothing is pressed there, so none is sent twice. */
	let noticed: ReadonlySet<string> = new Set();

	const note = (end: MessageEnd) => {
		if (end.kind === 'sent') {
			failures = 0;
			fault = undefined;
			return;
		}

		if (fault === undefined) {
			options.onNotice(`A message was not sent: ${end.message}`);
		}

		fault = end.message;
		pausedUntil = clock.elapsed() + Math.max(retryPause(failures), end.kind === 'refused' ? (end.retryAfter ?? 0) : 0);
		failures++;
		onChange();
	};

	const sendOne = async (
		subject: RemoteSubject,
		composed: ComposedMessage,
		expiresAt: number | null,
		signal: AbortSignal,
	) => {
		const nonce = createNonce();
		const message: RemoteMessage = {
			id: orderedId(clock.now()),
			profile: place.profile,
			channel: place.name,
			state: 'open',
			platform: place.platform,
			chat: place.chat,
			message: null,
			nonceHash: nonceHash(nonce),
			subject,
			expiresAt,
			sentAt: clock.now(),
			...composed,
		};
		const entry = list.add(message, nonce);
		if ((await list.change(entry, {})) !== 'written') {
			await list.change(entry, {state: 'ended'});
			return;
		}

		const end = await requestEnd(clock, signal, inTime => channel.send(messageOf(message, nonce), inTime));
		note(end);
		if (end.kind !== 'sent') {
			await list.change(entry, {state: 'ended'});
			return;
		}

		await list.change(entry, end.address);
		onSent(subject.requests.map(({id}) => id));
	};

	const send = async (item: RemoteItem, signal: AbortSignal) => {
		sentAt = [...sentAt.filter(time => clock.now() - time < minuteMilliseconds), clock.now()];
		const isNotice = channel.receive === undefined;
		noticed = isNotice ? new Set([...noticed, item.id]) : noticed;
		const argumentsHash = item.kind === 'approval' ? item.request.argumentsHash : '';
		const kind = isNotice ? 'notice' : item.kind;
		await sendOne({kind, requests: [{id: item.id, argumentsHash}]}, compose(item, options), item.expiresAt, signal);
	};

	const sendSummary = async (items: readonly RemoteItem[], signal: AbortSignal) => {
		summaryAt = clock.now();
		const former = list.all().filter(({message}) => message.state === 'open' && message.subject.kind === 'summary');
		const requests = items.flatMap(item => (item.kind === 'approval' ? [item.request] : []));
		const parts = fittedParts(summaryText(requests), channel.fits);
		const named = requests.map(({id, argumentsHash}) => ({id, argumentsHash}));
		await sendOne({kind: 'summary', requests: named}, {parts, step: {kind: 'first', offers: 'deny'}}, null, signal);
		for (const entry of former.filter(({message, input}) => message.state === 'open' && input === 'free')) {
			await list.end(entry, {text: 'A newer message says what waits'});
		}
	};

	return {
		async run(signal) {
			if (clock.elapsed() < pausedUntil) {
				return;
			}

			const items = waiting();
			const open = list.all().filter(({message}) => message.state === 'open');
			const idsOf = (isSummary: boolean) =>
				open
					.filter(({message}) => (message.subject.kind === 'summary') === isSummary)
					.flatMap(({message}) => message.subject.requests.map(({id}) => id));
			noticed = new Set([...noticed].filter(id => items.some(item => item.id === id)));
			const plan = planSends({
				...times(),
				now: clock.now(),
				place: place.place,
				waiting: items,
				sent: new Set([...idsOf(false), ...noticed]),
				summarized: new Set(idsOf(true)),
				sentAt,
				summaryAt,
			});
			for (const work of [
				...plan.single.map(item => () => send(item, signal)),
				...(plan.summary.length > 0 ? [() => sendSummary(plan.summary, signal)] : []),
			]) {
				if (signal.aborted || clock.elapsed() < pausedUntil || times().isHeld) {
					return;
				}

				const sent = work();
				sending = sent.catch(() => undefined);
				await sent;
			}
		},
		whenAddressed: async () => void (await sending),
		fault: () => fault,
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
