import {drawOwnSigns} from '../text/own-signs.ts';
import {signs} from '../text/status-text.ts';

/** Makes the terminal remember its title; `restoreScreen` gives it back. */
export const saveTitleSequence = '\u001B[22;2t';

/** A sound or a mark on the window's tab, as the terminal is set. */
export const bellSequence = '\u0007';

/** The title of the terminal: how much waits, and whose window it is. */
export function titleSequence(waiting: number): string {
	return `\u001B]2;${waiting > 0 ? `${drawOwnSigns(signs.approval, 'unicode')}${waiting} ` : ''}sluice\u0007`;
}

/** Puts a text into the clipboard of the person's own machine, also through SSH (OSC 52). The text goes encoded: nothing in it can act. */
export function copySequence(text: string): string {
	return `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}

/** Asks the terminal where its cursor is (DECXCPR). The answer proves that it has come to this place of the stream. */
export const positionReportRequest = '\u001B[?6n';

/** The same in its older form (CPR), which more terminals know: tmux among them. Its answer looks like a modified F3. */
export const plainPositionRequest = '\u001B[6n';

/** Asks the terminal whether all is well (DSR): another answer that can be told from the one about the cursor. */
export const statusReportRequest = '\u001B[5n';
