/** What the terminal sent, as far as a decision cares. Times are `Clock.elapsed` milliseconds. */
export type ArmingEvent =
	/** Another screen is to be shown: another request, another page, another question on it. */
	| {readonly type: 'shown'; readonly screen: string}
	/** A frame of that screen has left for the terminal, complete. */
	| {readonly type: 'painted'; readonly screen: string; readonly at: number}
	/** Anything came from the keyboard: key, chunk, paste, repeat. */
	| {readonly type: 'input'; readonly at: number};

/** Since when the shown screen can be read, and when the keyboard was last touched. */
export type Arming = {
	readonly screen: string;
	readonly paintedAt: number | undefined;
	readonly inputAt: number | undefined;
};

/** Why a key decides nothing yet. */
export type Readiness = 'ready' | 'unpainted' | 'too-new' | 'not-quiet';

/** No screen, nothing typed. */
export const disarmed: Arming = {screen: '', paintedAt: undefined, inputAt: undefined};

/** How long a screen must have been readable before a key may approve on it. */
export const readableMilliseconds = 700;
/** How long the keyboard must have been quiet before such a key. */
export const quietMilliseconds = 400;

/** The state after an event. A new screen starts anew; only its own first frame starts its time. */
export function arm(arming: Arming, event: ArmingEvent): Arming {
	switch (event.type) {
		case 'shown':
			return event.screen === arming.screen ? arming : {...arming, screen: event.screen, paintedAt: undefined};
		case 'painted':
			return event.screen === arming.screen && arming.paintedAt === undefined
				? {...arming, paintedAt: event.at}
				: arming;
		case 'input':
			return {...arming, inputAt: event.at};
	}
}

/** Whether a key at `at` may approve. Ask before telling of that key as input. */
export function readiness(arming: Arming, at: number): Readiness {
	if (arming.paintedAt === undefined) {
		return 'unpainted';
	}

	if (at - arming.paintedAt < readableMilliseconds) {
		return 'too-new';
	}

	return arming.inputAt !== undefined && at - arming.inputAt < quietMilliseconds ? 'not-quiet' : 'ready';
}
