import {untilAborted} from '../util/clock.ts';
import {type Waiting} from './agent-tool.ts';
import {type RunProgress, type RunSlot} from './run-task.ts';

/** The waits of a run's calls: while a person is needed for all of them, the run has no slot. */
export type RunWaits = {
	/** A call begins; resolves once the run has a slot. */
	readonly enter: (callId: string, signal: AbortSignal) => Promise<void>;
	readonly note: (callId: string, waiting: Waiting) => void;
	/** Resolves once the run has a slot; a call that waits for nobody keeps it. */
	readonly resume: (signal: AbortSignal) => Promise<void>;
	/** A call is over. */
	readonly leave: (callId: string) => void;
};

type Shown = (RunProgress & {readonly kind: 'waiting'})['waiting'];

/** True while nothing of a run goes on without a person. Without calls its model works. */
export function everyCallWaits(calls: readonly Waiting[]): boolean {
	return calls.length > 0 && !calls.includes('nothing');
}

/** The wait that is shown of a run: an approval first, because an action waits for it. */
export function shownWait(calls: readonly Waiting[], hasSlot: boolean): Shown {
	const ofPerson = (['approval', 'answer', 'release'] as const).find(one => calls.includes(one));
	return ofPerson ?? (hasSlot ? 'nothing' : 'slot');
}

/** Creates the waits of a run without calls; `report` is called only on changes. */
export function createRunWaits(slot: RunSlot, report: (waiting: Shown) => void): RunWaits {
	const calls = new Map<string, Waiting>();
	let reported: Shown = 'nothing';
	const change = () => {
		const waits = [...calls.values()];
		if (everyCallWaits(waits)) {
			slot.giveBack();
		} else if (!slot.isHeld()) {
			void slot.takeBack().then(show);
		}

		show();
	};

	const show = () => {
		const now = shownWait([...calls.values()], slot.isHeld());
		if (now !== reported) {
			reported = now;
			report(now);
		}
	};

	const resume = async (signal: AbortSignal) => {
		while (!slot.isHeld()) {
			await untilAborted(slot.takeBack(), signal);
		}
	};

	const note = (callId: string, waiting: Waiting) => {
		calls.set(callId, waiting);
		change();
	};

	return {
		async enter(callId, signal) {
			note(callId, 'nothing');
			await resume(signal);
		},
		note,
		resume,
		leave(callId) {
			calls.delete(callId);
			change();
		},
	};
}

/** The slot of a run that is not counted. */
export const uncountedSlot: RunSlot = {
	isHeld: () => true,
	giveBack: () => undefined,
	takeBack: () => Promise.resolve(),
};
