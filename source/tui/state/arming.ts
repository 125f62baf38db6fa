/** Events at the terminal that matter to a decision. Times are `Clock.elapsed` milliseconds. */
export type ArmingEvent =
	/** Another screen is to be shown: another request, another page, another question on it. */
	| {readonly type: 'shown'; readonly screen: string}
	/** A frame of that screen has left for the terminal, complete. */
	| {readonly type: 'painted'; readonly screen: string; readonly at: number}
	/** The terminal has reported that it reached the end of that frame. */
	| {readonly type: 'seen'; readonly screen: string; readonly at: number}
	/** The last `seen` was only assumed. */
	| {readonly type: 'unseen'}
	/** The screen was lent to somebody else. */
	| {readonly type: 'hidden'}
	/** Anything came from the keyboard: key, chunk, paste, repeat. */
	| {readonly type: 'input'; readonly at: number};

/** Since when the shown screen can be read, and when the keyboard was last touched. */
export type Arming = {
	readonly screen: string;
	readonly paintedAt: number | undefined;
	readonly seenAt: number | undefined;
	readonly inputAt: number | undefined;
};

/** The reason that a key cannot decide yet, or `ready`. */
export type Readiness = 'ready' | 'unpainted' | 'not-quiet' | 'unseen' | 'too-new';

/** No screen, nothing typed. */
export const disarmed: Arming = {screen: '', paintedAt: undefined, seenAt: undefined, inputAt: undefined};

/** Milliseconds that a screen must have been readable before a key may approve on it. */
export const readableMilliseconds = 700;
/** Milliseconds that the keyboard must have been quiet before such a key. */
export const quietMilliseconds = 400;

/** The state after an event. A new screen has to be painted and seen again; only its own first frame starts its time. */
export function arm(arming: Arming, event: ArmingEvent): Arming {
	switch (event.type) {
		case 'shown':
			return event.screen === arming.screen ? arming : {...arming, ...unpainted, screen: event.screen};
		case 'painted':
			return event.screen === arming.screen && arming.paintedAt === undefined
				? {...arming, paintedAt: event.at}
				: arming;
		case 'seen':
			return event.screen === arming.screen && arming.paintedAt !== undefined && arming.seenAt === undefined
				? {...arming, seenAt: event.at}
				: arming;
		case 'unseen':
			return {...arming, seenAt: undefined};
		case 'hidden':
			return {...arming, ...unpainted};
		case 'input':
			return {...arming, inputAt: event.at};
	}
}

const unpainted = {paintedAt: undefined, seenAt: undefined};

/** True if a frame of the screen was drawn, and the keyboard was quiet before the key. */
export function isQuiet(readiness: Readiness): boolean {
	return readiness !== 'unpainted' && readiness !== 'not-quiet';
}

/** The readiness for a key at `at` to approve. Call it before the `input` event of that key. */
export function readiness(arming: Arming, at: number): Readiness {
	if (arming.paintedAt === undefined) {
		return 'unpainted';
	}

	if (arming.inputAt !== undefined && at - arming.inputAt < quietMilliseconds) {
		return 'not-quiet';
	}

	if (arming.seenAt === undefined) {
		return 'unseen';
	}

	return at - arming.seenAt < readableMilliseconds ? 'too-new' : 'ready';
}

/**
Condition of a key: it came as an event of its own; also a frame of the screen was drawn; also the keyboard was quiet before; or the screen is armed.
*/
export type Need = 'alone' | 'drawn' | 'quiet' | 'armed';

/** True if a key that came as an event of its own meets the need. */
export function isMet(need: Need, readiness: Readiness): boolean {
	switch (need) {
		case 'alone':
			return true;
		case 'drawn':
			return readiness !== 'unpainted';
		case 'quiet':
			return isQuiet(readiness);
		case 'armed':
			return readiness === 'ready';
	}
}
