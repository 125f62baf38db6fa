import {createKeyGuard, screenKey} from '../../source/tui/input/key-guard.ts';
import {positionReportRequest} from '../../source/tui/terminal/position-reports.ts';
import {initialUiState, type UiState} from '../../source/tui/state/ui-state.ts';
import {openReview} from '../../source/tui/state/review.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {approval, snapshotOf} from './sample-events.ts';

export const snapshot = snapshotOf([approval('1'), approval('2')]);
export const [first, second] = snapshot.approvals.map((card): UiState => ({...initialUiState, mode: openReview(card)}));

/** A key guard on a terminal that answers when the test says so. */
export function openKeyGuard() {
	const clock = createFakeClock();
	const written: string[] = [];
	let silences = 0;
	let stalled = false;
	let awaited = false;
	const guard = createKeyGuard({
		clock,
		isBlocked: () => stalled,
		isReplyAwaited: () => awaited,
		write: text => void written.push(text),
		changed: () => undefined,
		onSilent: () => void silences++,
	});
	const draw = (ui: UiState) => {
		guard.show(ui, snapshot);
		guard.committed(screenKey(ui, snapshot));
		guard.framePainted();
	};

	return {
		clock,
		guard,
		written,
		draw,
		silences: () => silences,
		stall: (isStalled: boolean) => void (stalled = isStalled),
		/** Another reply of the terminal is on its way, or has come. */
		await: (isAwaited: boolean) => void (awaited = isAwaited),
		/** Number of times that the terminal was asked for its position. */
		asked: () => written.filter(text => text === positionReportRequest).length,
	};
}

/** The same, after the first frame was answered. */
export async function openAnswering() {
	const opened = openKeyGuard();
	opened.draw(initialUiState);
	opened.guard.answered('position');
	return opened;
}
