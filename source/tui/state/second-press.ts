import {type Mode} from './mode.ts';
import {type UiState, withMode} from './ui-state.ts';
import {type Clock, type Timer} from '../../util/clock.ts';

/** A key that has to be pressed twice waits so long for its second press, once that can be read. */
export const secondPressMilliseconds = 5000;

/** The first press that waits for its second, by what it is about; undefined where none does. */
export function awaitedPress({mode}: Pick<UiState, 'mode'>): string | undefined {
	if (mode.kind === 'review') {
		return mode.again && ['review', mode.cardId, mode.again, mode.answers].join(' ');
	}

	if (mode.kind === 'proposal') {
		return mode.again && ['proposal', mode.id, mode.again, mode.answers].join(' ');
	}

	return mode.kind === 'confirm' && mode.question.kind === 'quit' && mode.question.again !== 'lapsed'
		? 'quit'
		: undefined;
}

/** The dashboard after the time for the second press is over: it says so, and the next press is a first one. */
export function withLapsedPress(ui: UiState): UiState {
	const {mode} = ui;
	if (mode.kind === 'review') {
		return withMode(ui, {...mode, again: undefined, hint: '5 s passed: nothing was allowed'});
	}

	if (mode.kind === 'proposal') {
		return withMode(ui, {...mode, again: undefined, hint: '5 s passed: nothing was installed'});
	}

	return mode.kind === 'confirm' && mode.question.kind === 'quit'
		? withMode(ui, {...mode, question: {...mode.question, again: 'lapsed'}})
		: ui;
}

/** The mode without a first press, also behind a field or a question that came in front of it: it was meant for what was on the screen then. */
export function withoutFirstPress(mode: Mode): Mode {
	if (mode.kind === 'review' || mode.kind === 'proposal') {
		return mode.again === undefined ? mode : {...mode, again: undefined, hint: ''};
	}

	if (mode.kind === 'deny-message') {
		const review = withoutFirstPress(mode.review);
		return review === mode.review || review.kind !== 'review' ? mode : {...mode, review};
	}

	if ('behind' in mode && mode.kind !== 'detail') {
		const behind = withoutFirstPress(mode.behind);
		return behind === mode.behind ? mode : {...mode, behind};
	}

	return mode;
}

/** Counts the time of each first press from when what it asks is on the screen. */
export function createPressTimer(clock: Clock, onLapse: () => void) {
	let press: string | undefined;
	let timer: Timer | undefined;
	const cancel = () => {
		timer?.cancel();
		timer = undefined;
	};

	return {
		cancel,
		follow(awaited: string | undefined, isSeen: boolean): void {
			if (awaited !== press) {
				press = awaited;
				cancel();
			}

			if (press !== undefined && isSeen) {
				timer ??= clock.after(secondPressMilliseconds, onLapse);
			}
		},
	};
}
