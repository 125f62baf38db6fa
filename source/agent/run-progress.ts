import {type RunStep, type TokenUsage} from '../state/work-event.ts';
import {type Waiting} from './agent-tool.ts';

/** What can be told of a run while it goes on. Texts are safe to show. */
export type RunProgress =
	/** A request to the model goes out in this moment: from now on the run cannot be taken as if it had never begun. */
	| {readonly kind: 'asked'}
	| {readonly kind: 'model'; readonly model: string}
	| {readonly kind: 'usage'; readonly usage: TokenUsage}
	| {readonly kind: 'waiting'; readonly waiting: Waiting}
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'step'; readonly step: RunStep};
