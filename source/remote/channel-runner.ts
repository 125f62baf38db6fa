import {type RemoteMessage, type RemoteOutcome} from '../journal/rows/remote-rows.ts';
import {type Clock} from '../util/clock.ts';
import {repeat} from '../util/repeat.ts';
import {createChannelLease} from './channel-lease.ts';
import {createEdits, type Edits} from './edits.ts';
import {createInputHandler} from './handle-input.ts';
import {createMessageList, type Entry, type MessageList} from './message-list.ts';
import {type ChannelPlace, type RunnerOptions, type RunnerState} from './runner-options.ts';
import {createSends, renewExpiry} from './sends.ts';

/** A channel at work. */
export type ChannelRunner = {
	readonly place: ChannelPlace;
	readonly state: () => RunnerState;
	/** True if a person can decide there now (docs/remote.md, When a chat counts as a console). */
	readonly counts: () => boolean;
	/** The reason that messages do not arrive; undefined while they do. */
	readonly sendFault: () => string | undefined;
	readonly messages: () => readonly RemoteMessage[];
	/** Looks at once through what waits and what has ended. */
	readonly wake: () => void;
	/** Ends it. Edits that are wanted are tried once more, for at most three seconds. */
	readonly close: () => Promise<void>;
};

const roundMilliseconds = 1000;
/** A sign of life counts so long. */
const aliveMilliseconds = 90_000;
const closeMilliseconds = 3000;

/** The outcome of messages of an earlier start. */
const superseded: RemoteOutcome = {
	text: 'The gateway has started again: this message decides nothing any more. If the request still waits, a new one follows',
};

/** Begins to work on a channel: holds it as far as no other gateway does, receives, sends, and changes messages until they show how it ended. */
export function createChannelRunner(options: RunnerOptions): ChannelRunner {
	const {clock, place, journal, waiting, outcomeOf, onChange} = options;
	const wake = (): void => rounds.wake();
	const list = createMessageList(journal, onChange);
	const edits = createEdits({...options, list});
	const sends = createSends({...options, list});
	const handleInput = createInputHandler({...options, list, edits, sends, wake});
	const reception = createReception({...options, handleInput, wake});
	const lease = createChannelLease({
		...options,
		async onHeld() {
			const taken = await journal.takeRemoteMessages(place.name);
			const signal = reception.open();
			await takeOver(taken, {list, outcomeOf});
			reception.begin(signal);
		},
		onLost(node) {
			reception.close();
			list.clear();
			reception.setState({kind: 'elsewhere', node});
		},
	});

	const rounds = createRounds(clock, async () => {
		await lease.renew();
		const signal = reception.signal();
		if (!signal) {
			return;
		}

		await list.writeChanged();
		for (const entry of list.all()) {
			await endSettled(entry, {list, outcomeOf});
			await renewExpiry(entry, waiting(), list);
		}

		edits.run(signal);
		if (reception.isCurrent() && !signal.aborted) {
			await sends.run(signal);
		}
	});
	return {
		place,
		state: reception.state,
		counts: () => place.send === 'arguments' && reception.isAlive() && sends.fault() === undefined,
		sendFault: sends.fault,
		messages: () => list.all().map(({message}) => message),
		wake,
		async close() {
			await rounds.stop();
			if (reception.signal()) {
				await runLastEdits({clock, list, edits, outcomeOf});
			}

			reception.close();
			lease.release();
		},
	};
}

/** Rounds of work, one after another. */
type Rounds = {
	/** Begins a round now; those that are asked for during a round are one more. */
	readonly wake: () => void;
	/** Begins no more, and resolves when none is running. */
	readonly stop: () => Promise<void>;
};

/** Starts rounds: one at once, one each second, and one for each `wake`. */
function createRounds(clock: Clock, round: () => Promise<void>): Rounds {
	let isWoken = false;
	let running: Promise<void> | undefined;
	let phase: 'open' | 'stopped' = 'open';
	const wake = () => {
		if (phase === 'stopped') {
			return;
		}

		isWoken = true;
		running ??= (async () => {
			while (isWoken) {
				isWoken = false;
				await round();
			}
		})()
			// The journal is away, which is said elsewhere.
			.catch(() => undefined)
			.finally(() => {
				running = undefined;
			});
	};

	const repetition = repeat({
		clock,
		firstMilliseconds: 0,
		everyMilliseconds: roundMilliseconds,
		async work() {
			wake();
		},
	});
	return {
		wake,
		async stop() {
			phase = 'stopped';
			await repetition.stop();
			await running;
		},
	};
}

/** Receiving from a channel while it is held, and the state of it. */
type Reception = {
	/** Opens it for one hold of the channel, and ends the one before. Its signal aborts when the hold is over. */
	readonly open: () => AbortSignal;
	/** Begins to receive until the signal aborts. */
	readonly begin: (signal: AbortSignal) => void;
	readonly close: () => void;
	/** The signal of the hold; undefined while the channel is not held. */
	readonly signal: () => AbortSignal | undefined;
	readonly state: () => RunnerState;
	readonly setState: (state: RunnerState) => void;
	/** True once nothing that was done before this start can come any more. */
	readonly isCurrent: () => boolean;
	/** True if an input of a person would come now: connected, current, and with a sign of life not long ago. */
	readonly isAlive: () => boolean;
};

type ReceptionOptions = Pick<RunnerOptions, 'clock' | 'channel' | 'onChange' | 'onNotice'> & {
	readonly handleInput: ReturnType<typeof createInputHandler>;
	readonly wake: () => void;
};

/** Creates a reception; nothing is received before `begin`. */
function createReception(options: ReceptionOptions): Reception {
	const {clock, channel, handleInput, wake, onChange, onNotice} = options;
	let state: RunnerState = {kind: 'connecting'};
	let aliveAt = Number.NEGATIVE_INFINITY;
	let receiving: AbortController | undefined;
	let isCurrent = false;
	const setState = (next: RunnerState) => {
		state = next;
		onChange();
	};

	const receive = async (signal: AbortSignal) => {
		isCurrent = channel.receive === undefined;
		if (isCurrent) {
			setState({kind: 'connected'});
		}

		await channel.receive?.(
			{
				onState: next => signal.aborted || setState(next),
				onAlive() {
					aliveAt = clock.elapsed();
				},
				onCurrent() {
					isCurrent = !signal.aborted;
					wake();
				},
				onInput: input => (signal.aborted ? Promise.resolve() : handleInput(input, signal)),
				onNotice,
			},
			signal,
		);
	};

	return {
		open() {
			receiving?.abort();
			receiving = new AbortController();
			return receiving.signal;
		},
		begin: signal => void receive(signal).catch(() => undefined),
		close() {
			receiving?.abort();
			receiving = undefined;
		},
		signal: () => receiving?.signal,
		state: () => state,
		setState,
		isCurrent: () => isCurrent,
		isAlive: () =>
			channel.receive !== undefined &&
			isCurrent &&
			state.kind === 'connected' &&
			clock.elapsed() - aliveAt <= aliveMilliseconds,
	};
}

/** The part of a runner that ends messages. */
type Ending = Pick<RunnerOptions, 'outcomeOf'> & {readonly list: MessageList};

/** Takes over the messages of an earlier start: they decide nothing any more, and the chat is to show that. */
async function takeOver(taken: readonly RemoteMessage[], {list, outcomeOf}: Ending): Promise<void> {
	for (const message of taken) {
		const entry = list.add(message, undefined);
		entry.edit = 'wanted';
		if (message.state === 'open') {
			await list.end(entry, (await outcomeOf(message)) ?? superseded);
		}
	}
}

/** Ends an open message whose requests wait no longer, unless an input to it is being carried out. */
async function endSettled(entry: Entry, {list, outcomeOf}: Ending): Promise<void> {
	const {message, input} = entry;
	const outcome = message.state === 'open' && input === 'free' ? await outcomeOf(message) : undefined;
	if (outcome && entry.message.state === 'open' && entry.input === 'free') {
		await list.end(entry, outcome);
	}
}

/** Ends the messages that are settled, and tries each wanted edit once more, for at most three seconds. */
async function runLastEdits({
	clock,
	list,
	edits,
	outcomeOf,
}: Ending & {readonly clock: Clock; readonly edits: Edits}): Promise<void> {
	const last = new AbortController();
	const timer = clock.after(closeMilliseconds, () => last.abort());
	for (const entry of list.all()) {
		await endSettled(entry, {list, outcomeOf});
	}

	edits.run(last.signal);
	await edits.whenDone(last.signal);
	timer.cancel();
}
