import {type ModelTurn, type RunNote, type RunStep} from '../state/work-event.ts';
import {type Waiting} from './agent-tool.ts';

/** A range of a text, in UTF-16 units; the end is exclusive. */
export type TextRange = readonly [start: number, end: number];

/** The task of a run. */
export type RunTask = {
	readonly id: string;
	/** Empty when no webhook started the run. */
	readonly route: string;
	/** The name of the cron job. */
	readonly job?: string;
	readonly event: string;
	readonly deliveryId: string;
	/** The authentication of the sender of the event; shown with approval requests. */
	readonly signature?: string;
	readonly prompt: string;
	/** The ranges of the prompt written by outsiders, in order; absent: none. */
	readonly foreign?: readonly TextRange[];
	/** The targets of the answer; empty: it is only shown. */
	readonly deliver: ReadonlyArray<{readonly target: string}>;
	readonly skills: readonly string[];
	/** Names of toolsets; absent: those of the platform. */
	readonly toolsets?: readonly string[];
};

/** Callbacks during a run. Texts are safe to show. */
export type RunProgress =
	/** A request to the model is being sent: from now on the run cannot be requeued. */
	| {readonly kind: 'asked'}
	| {readonly kind: 'model'; readonly model: string}
	/** A request to the model begins, or was answered. */
	| {readonly kind: 'turn'; readonly turn: ModelTurn}
	/** The model has begun to answer a request with these notes. */
	| {readonly kind: 'notes'; readonly notes: readonly RunNote[]; readonly read: NonNullable<RunNote['read']>}
	/** The run waits for a person, or for a slot to go on. */
	| {readonly kind: 'waiting'; readonly waiting: Waiting | 'slot'}
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'step'; readonly step: RunStep};

/** The slot of a run among those that are under way at once (docs/agents.md, Runs). */
export type RunSlot = {
	readonly isHeld: () => boolean;
	/** Nothing of the run goes on without a person; it keeps the slot when too many runs wait already. */
	readonly giveBack: () => void;
	/** Resolves once the run has a slot again; not when it gives it back meanwhile. */
	readonly takeBack: () => Promise<void>;
};

export type AnswerOptions = {
	readonly signal: AbortSignal;
	/** Absent: the run is not counted. */
	readonly slot?: RunSlot;
	/** The conversation to continue. */
	readonly history?: string;
	/** The payload that led to the run: outsiders' text, also where the prompt has none of it. */
	readonly payload?: string;
	/** The notes of a person that no turn has got, oldest first. Default: there are none. */
	readonly unreadNotes?: () => Promise<readonly RunNote[]>;
	readonly report: (progress: RunProgress) => void;
};

/** The reply of the model to a run, and the conversation up to it as text for the journal. */
export type RunReply = {readonly text: string; readonly conversation: string};

/** The answer of an agent that has nothing to deliver (docs/agents.md, Silent answers). */
export const silentAnswer = '[SILENT]';

/** The marker alone on a line: in any case, with or without emphasis and a full stop. */
const silentLine = /^[*_`~]{0,3}\[silent\][*_`~]{0,3}\.?[*_`~]{0,3}$/iu;

/** True for an answer with the marker alone on its first or last line: models like to explain why they stay silent (docs/agents.md, Silent answers). */
export function isSilentAnswer(text: string): boolean {
	const lines = text.trim().split('\n');
	return [lines.at(0), lines.at(-1)].some(line => silentLine.test(line?.trim() ?? ''));
}
