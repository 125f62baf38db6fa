import {heldText} from '../../state/status-line.ts';
import {type HoldRow} from '../../state/snapshot.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';

type HoldDialog = Extract<ScreenReaderDialog, {kind: 'hold'}>;

const choices = ['1 release it', 'Type a number and press Enter.'] as const;
const again = 'Type 1 again within 5 s to release it; anything else goes back.';

/** That everything is held, to be read out, then the numbered answer. */
export function holdLines(hold: HoldRow): readonly string[] {
	return [`Everything is ${heldText(hold)}.`, waitingText(hold), ...choices];
}

/** The question once more, for a listener who heard other lines since. */
export function holdPrompt({page}: HoldDialog, hold: HoldRow): readonly string[] {
	return [`Everything is still held by ${hold.by}.`, ...(page === 'again' ? [again] : choices)];
}

/** The effect of a typed line on a hold. A release is asked about twice, as in the dashboard. */
export function holdStep(dialog: HoldDialog, text: string): ScreenReaderStep {
	if (dialog.page === 'choose') {
		return text === '1'
			? {dialog: {...dialog, page: 'again'}, calls: [], lines: [again]}
			: {dialog, calls: [], lines: ['That releases nothing.', ...choices]};
	}

	const first: HoldDialog = {...dialog, page: 'choose'};
	return text === '1'
		? {dialog: first, calls: [{method: 'unhold', params: {hash: dialog.id}}], lines: []}
		: {dialog: first, calls: [], lines: ['Nothing was released.', ...choices]};
}

function waitingText({waiting}: HoldRow): string {
	const calls = waiting === 1 ? '1 call waits and is' : `${waiting} calls wait and are`;
	return waiting === 0 ? 'Queued runs begin after the release.' : `${calls} checked again after the release.`;
}
