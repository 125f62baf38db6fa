import {type QuestionAnswer} from '../state/person-answers.ts';
import {type JsonObject} from '../util/json-text.ts';

/** The end of a question; the ends are kept apart everywhere (docs/tool-servers.md, Elicitation). */
export type QuestionOutcome =
	| {readonly kind: 'answered'; readonly values: JsonObject; readonly by: string}
	| {readonly kind: 'declined'; readonly by: string}
	| {readonly kind: 'timed_out'}
	| {readonly kind: 'no_channel'; readonly message: string}
	/** A person put it aside; or, without `by`, the caller that asked went away. */
	| {readonly kind: 'cancelled'; readonly by?: string};

/** The events of a question. */
export type QuestionStep =
	| {readonly kind: 'answered'; readonly answer: QuestionAnswer; readonly by: string}
	| {readonly kind: 'deadline-passed'}
	/** There is nobody who could be asked, for the reason in the message. */
	| {readonly kind: 'unreachable'; readonly message: string}
	/** The asker went away, its server was removed, or the gateway stops. */
	| {readonly kind: 'withdrawn'};

/** The state after the first event, which ends a question; there is no second one. */
export function questionOutcome(step: QuestionStep): QuestionOutcome {
	switch (step.kind) {
		case 'answered':
			return answerOutcome(step.answer, step.by);
		case 'deadline-passed':
			return {kind: 'timed_out'};
		case 'unreachable':
			return {kind: 'no_channel', message: step.message};
		case 'withdrawn':
			return {kind: 'cancelled'};
	}
}

/** The outcome that an answer of a person leads to. */
export function answerOutcome(answer: QuestionAnswer, by: string): QuestionOutcome {
	switch (answer.kind) {
		case 'accept':
			return {kind: 'answered', values: answer.values, by};
		case 'decline':
			return {kind: 'declined', by};
		case 'cancel':
			return {kind: 'cancelled', by};
	}
}
