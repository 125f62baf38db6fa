import {type RemoteMessage, type RemoteOutcome} from '../journal/rows/remote-rows.ts';
import {repeat} from '../util/repeat.ts';
import {createChannelLease} from './channel-lease.ts';
import {createEdits} from './edits.ts';
import {createInputHandler} from './handle-input.ts';
import {createMessageList, type Entry} from './message-list.ts';
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
	const {clock, place, channel, outcomeOf, onChange} = options;
	let state: RunnerState = {kind: 'connecting'};
	let aliveAt = Number.NEGATIVE_INFINITY;
	let receiving: AbortController | undefined;
	/** True once nothing that was done before this start can come any more. */
	let isCurrent = false;
	const setState = (next: RunnerState) => {
		state = next;
		onChange();
	};

	const list = createMessageList(options.journal, onChange);
	const edits = createEdits({...options, list});
	const sends = createSends({...options, list});
	const handleInput = createInputHandler({...options, list, edits, sends, wake: () => wake()});

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
				onNotice: options.onNotice,
			},
			signal,
		);
	};

	const lease = createChannelLease({
		...options,
		async onHeld() {
			const taken = await options.journal.takeRemoteMessages(place.name);
			receiving?.abort();
			receiving = new AbortController();
			for (const message of taken) {
				const entry = list.add(message, undefined);
				entry.edit = 'wanted';
				if (message.state === 'open') {
					await list.end(entry, (await outcomeOf(message)) ?? superseded);
				}
			}

			void receive(receiving.signal).catch(() => undefined);
		},
		onLost(node) {
			receiving?.abort();
			receiving = undefined;
			list.clear();
			setState({kind: 'elsewhere', node});
		},
	});

	const endSettled = async (entry: Entry) => {
		const {message, input} = entry;
		const outcome = message.state === 'open' && input === 'free' ? await outcomeOf(message) : undefined;
		if (outcome && entry.message.state === 'open' && entry.input === 'free') {
			await list.end(entry, outcome);
		}
	};

	const round = async () => {
		await lease.renew();
		if (!receiving) {
			return;
		}

		await list.writeChanged();
		for (const entry of list.all()) {
			await endSettled(entry);
			await renewExpiry(entry, options.waiting(), list);
		}

		edits.run(receiving.signal);
		if (isCurrent && !receiving.signal.aborted) {
			await sends.run(receiving.signal);
		}
	};

	let isWoken = false;
	let running: Promise<void> | undefined;
	/** One round after another; those that are asked for meanwhile are one more. */
	const wake = (): void => {
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

	const rounds = repeat({
		clock,
		firstMilliseconds: 0,
		everyMilliseconds: roundMilliseconds,
		async work() {
			wake();
		},
	});
	return {
		place,
		state: () => state,
		counts: () =>
			channel.receive !== undefined &&
			place.send === 'arguments' &&
			isCurrent &&
			state.kind === 'connected' &&
			clock.elapsed() - aliveAt <= aliveMilliseconds &&
			sends.fault() === undefined,
		sendFault: sends.fault,
		messages: () => list.all().map(({message}) => message),
		wake,
		async close() {
			await rounds.stop();
			await running;
			const last = new AbortController();
			const timer = clock.after(closeMilliseconds, () => last.abort());
			if (receiving) {
				for (const entry of list.all()) {
					await endSettled(entry);
				}

				edits.run(last.signal);
				await edits.whenDone(last.signal);
			}

			timer.cancel();
			receiving?.abort();
			receiving = undefined;
			lease.release();
		},
	};
}
