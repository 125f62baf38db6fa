import {type JsonRow} from '../entities/json-kind.ts';
import {type questionFields} from '../entities/question.ts';
import {type AskedUrl, type FormField, type QuestionDetails} from '../person-event.ts';

/** `questions list --json`, one row. Times are milliseconds since the epoch. */
export type QuestionJson = JsonRow<typeof questionFields>;

/** A waiting question with its form, to be asked field by field. */
export type AskedQuestionJson = {
	readonly id: string;
	readonly kind: QuestionDetails['kind'];
	readonly asker: string;
	readonly message: string;
	readonly fields: readonly FormField[];
	/** The page of a question of the kind `url`. */
	readonly url: AskedUrl | null;
};

/** The earlier end of a question; null if the gateway does not know it. */
export type QuestionEndJson = {
	readonly outcome: 'answered' | 'declined' | 'cancelled' | 'timed_out' | 'no_channel';
	readonly by: string | null;
} | null;
