import {type Readiness} from './arming.ts';
import {type Size} from './layout.ts';
import {type Stroke} from './stroke.ts';

/** What can happen to the window. */
export type UiEvent =
	| {readonly type: 'stroke'; readonly stroke: Stroke; readonly readiness: Readiness}
	/** A key of a chunk whose beginning opened a text field. */
	| {readonly type: 'typed-ahead'; readonly stroke: Stroke}
	| {readonly type: 'text-changed'; readonly text: string}
	| {readonly type: 'text-submitted'; readonly text: string}
	| {readonly type: 'pasted'; readonly text: string}
	| {readonly type: 'resized'; readonly size: Size}
	| {readonly type: 'snapshot'}
	| {readonly type: 'toast-ended'; readonly id: number};
