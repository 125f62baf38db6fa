import {type RunProgress} from './run-progress.ts';

/** A part of a text, in UTF-16 units; the end is not part of it. */
export type TextRange = readonly [start: number, end: number];

/** What a model is to work on. */
export type RunTask = {
	readonly id: string;
	/** Empty when no webhook started the run. */
	readonly route: string;
	/** The name of the cron job that runs. */
	readonly job?: string;
	readonly event: string;
	readonly deliveryId: string;
	/** What proved who sent the event; for the cards of its calls. */
	readonly signature?: string;
	readonly prompt: string;
	/** Where in the prompt words of outsiders stand, in order; absent: nowhere. */
	readonly foreign?: readonly TextRange[];
	/** Where the answer goes; empty: it is only shown. */
	readonly deliver: string;
	readonly skills: readonly string[];
	/** Names of toolsets; absent: those of the platform. */
	readonly toolsets?: readonly string[];
};

/** What a run is answered with beside itself. */
export type AnswerOptions = {
	readonly signal: AbortSignal;
	/** The conversation it goes on with. */
	readonly history?: string;
	readonly report: (progress: RunProgress) => void;
};

/** An answer to a run, and the conversation up to it as text for the journal. */
export type RunAnswer = {readonly text: string; readonly conversation: string};

/** An answer that is not delivered (issue of agent runs). */
export const silentAnswer = '[SILENT]';
