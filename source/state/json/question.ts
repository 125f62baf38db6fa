import {type FormField} from '../person-event.ts';

/** `questions list --json`, one row. Times are milliseconds since the epoch. */
export type QuestionJson = {
	readonly id: string;
	readonly kind: 'elicitation' | 'clarify';
	/** The asker: the name of a server, or the run. */
	readonly asker: string;
	readonly message: string;
	/** Kind, bounds, options and default of each value that is asked for. */
	readonly fields: ReadonlyArray<{
		readonly name: string;
		readonly title: string;
		readonly description: string;
		readonly required: boolean;
		readonly kind: string;
		readonly [name: string]: unknown;
	}>;
	readonly origin: {readonly kind: string; readonly [name: string]: unknown};
	/** The gateway that asks, where several share a journal. */
	readonly node?: string;
	readonly requested_at: number;
	readonly expires_at: number;
};

/** A waiting question with its form, to be asked field by field. */
export type AskedQuestionJson = {
	readonly id: string;
	readonly kind: 'elicitation' | 'clarify';
	readonly asker: string;
	readonly message: string;
	readonly fields: readonly FormField[];
};

/** The earlier end of a question; null if the gateway does not know it. */
export type QuestionEndJson = {
	readonly outcome: 'answered' | 'declined' | 'cancelled' | 'timed_out' | 'no_channel';
	readonly by: string | null;
} | null;
