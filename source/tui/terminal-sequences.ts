import {signs} from './status-words.ts';

/** Makes the terminal remember its title; `restoreScreen` gives it back. */
export const keepTitleSequence = '\u001B[22;2t';

/** A sound or a mark on the window's tab, as the terminal is set. */
export const bellSequence = '\u0007';

/** The title of the terminal: how much waits, and whose window it is. */
export function titleSequence(waiting: number): string {
	return `\u001B]2;${waiting > 0 ? `${signs.approval}${waiting} ` : ''}sluice\u0007`;
}

/** Puts a text into the clipboard of the person's own machine, also through SSH (OSC 52). The text goes encoded: nothing in it can act. */
export function copySequence(text: string): string {
	return `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}
