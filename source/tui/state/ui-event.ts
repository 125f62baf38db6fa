import {type Readiness} from './arming.ts';
import {type Size} from '../text/layout.ts';
import {type KeyPress} from './key-press.ts';

/** What can happen to the window. */
export type UiEvent =
	| {readonly type: 'stroke'; readonly keyPress: KeyPress; readonly readiness: Readiness}
	/** A key of a chunk whose beginning opened a text field. */
	| {readonly type: 'typed-ahead'; readonly keyPress: KeyPress}
	| {readonly type: 'text-changed'; readonly text: string}
	| {readonly type: 'text-submitted'; readonly text: string}
	| {readonly type: 'pasted'; readonly text: string}
	| {readonly type: 'resized'; readonly size: Size}
	/** The terminal has shown the screen that is up now. */
	| {readonly type: 'screen-seen'}
	| {readonly type: 'snapshot'}
	| {readonly type: 'toast-ended'; readonly id: number};
