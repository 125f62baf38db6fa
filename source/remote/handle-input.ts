import {type RemoteMessage, type RemoteOutcome, type RemoteRequest} from '../journal/rows/remote-rows.ts';
import {counted} from '../state/number-text.ts';
import {type Verdict} from '../state/person-answers.ts';
import {type ChannelInput} from './channel.ts';
import {chooseNumbers} from './choice-numbers.ts';
import {decideInput, type InputEffect} from './decide-input.ts';
import {type Edits} from './edits.ts';
import {type Entry, type MessageList} from './message-list.ts';
import {type AnswerResult, type RunnerOptions} from './runner-options.ts';
import {type Sends} from './sends.ts';

type HandlerOptions = Pick<RunnerOptions, 'clock' | 'place' | 'channel' | 'times' | 'outcomeOf' | 'acts' | 'random'> & {
	readonly list: MessageList;
	readonly edits: Edits;
	readonly sends: Pick<Sends, 'whenAddressed'>;
	/** Sees to what is to be edited or sent now. */
	readonly wake: () => void;
};

/** Texts for the person who pressed. */
const words = {
	allowed: 'Allowed once',
	denied: 'Denied',
	late: 'It was decided before',
	changed: 'The request is another one by now; nothing was done',
	unknown: 'Whether this counts cannot be known: the journal is away',
	held: 'Everything is held. A console releases it',
	answered: 'Answered',
} as const;

/** The outcome of a message whose answer could not be stored. */
const unstored: RemoteOutcome = {
	text: 'The answer could not be stored. If the request still waits, a new message follows',
};

/** Creates the function that carries out inputs: it decides first, then tells the person who pressed, then the message is changed. Never rejects. */
export function createInputHandler(
	options: HandlerOptions,
): (input: ChannelInput, signal: AbortSignal) => Promise<void> {
	const {clock, place, channel, times, list, sends} = options;
	return async (input, signal) => {
		await sends.whenAddressed();
		const entry = list.find(input.address);
		const tell = async (text: string) => {
			if (input.act.kind === 'press') {
				await channel.acknowledge?.(input, text, signal).catch(() => undefined);
			}
		};

		// A second input while one is carried out decides nothing.
		const effect: InputEffect =
			entry?.input === 'deciding'
				? {kind: 'nothing', note: words.late}
				: decideInput(entry?.message, input, {
						now: clock.now(),
						isHeld: times().isHeld,
						approvers: place.approvers,
					});
		if (effect.kind === 'nothing' || !entry) {
			await tell(effect.kind === 'nothing' ? (effect.note ?? '') : '');
			return;
		}

		entry.input = 'deciding';
		try {
			await carryOut(effect, entry, {...options, by: `${place.platform}:${input.person.id}`, tell, signal});
		} catch {
			await tell(words.unknown);
			await list.end(entry, unstored);
		} finally {
			entry.input = 'free';
		}

		options.wake();
	};
}

type Work = HandlerOptions & {
	readonly by: string;
	readonly tell: (text: string) => Promise<void>;
	readonly signal: AbortSignal;
};

async function carryOut(effect: Exclude<InputEffect, {kind: 'nothing'}>, entry: Entry, work: Work): Promise<void> {
	const {acts, tell, by} = work;
	switch (effect.kind) {
		case 'ask-for-number':
			return askForNumber(entry, work);
		case 'allow':
			return answerAll([effect.request], {kind: 'approve', scope: 'once'}, entry, work);
		case 'deny': {
			const {requests, message} = effect;
			return answerAll(requests, {kind: 'deny', ...(message !== undefined && {message})}, entry, work);
		}

		case 'hold':
			await acts.hold(by);
			return tell(words.held);
		case 'answer': {
			const {to, id, text} = effect;
			const problem = await acts.answerText({to, id, text}, by);
			return showEnd(entry, work, problem === undefined ? undefined : {text: problem});
		}
	}
}

/** Changes the message to three numbers. They count once they stand in the chat. */
async function askForNumber(entry: Entry, {list, edits, random, tell, signal}: Work): Promise<void> {
	const foreign = entry.message.parts.filter(({kind}) => kind === 'foreign').map(({text}) => text);
	const chosen = chooseNumbers(foreign.join('\n'), random);
	if (!chosen) {
		return tell('');
	}

	const written = await list.change(entry, {step: {kind: 'choosing', ...chosen, countsFrom: null}});
	await tell('');
	entry.edit = 'wanted';
	if (written === 'written') {
		await edits.runOne(entry, signal);
	}
}

async function answerAll(
	requests: readonly RemoteRequest[],
	verdict: Verdict,
	entry: Entry,
	work: Work,
): Promise<void> {
	const results: AnswerResult[] = [];
	for (const request of requests) {
		results.push(await work.acts.answer(request, verdict, work.by));
	}

	await work.tell(answerWords(results, verdict));
	// A request that was changed, and waits, gets a message of its own.
	const isChanged = results.some(result => result === 'changed' || result === 'not-offered');
	await showEnd(entry, work, isChanged ? {text: words.changed} : undefined);
}

function answerWords(results: readonly AnswerResult[], {kind}: Verdict): string {
	const resolved = results.filter(result => result === 'resolved').length;
	if (results.length > 1) {
		return `${words.denied}: ${resolved} of ${counted(results.length, 'request')}`;
	}

	const [result] = results;
	if (result === 'resolved') {
		return kind === 'approve' ? words.allowed : words.denied;
	}

	return result === 'already-settled' ? words.late : words.changed;
}

async function showEnd(
	entry: Entry,
	{list, outcomeOf}: Pick<Work, 'list' | 'outcomeOf'>,
	otherwise: RemoteOutcome | undefined,
): Promise<void> {
	const message: RemoteMessage = entry.message;
	const outcome = (await outcomeOf(message)) ?? otherwise;
	if (outcome && message.state === 'open') {
		await list.end(entry, outcome);
	}
}
