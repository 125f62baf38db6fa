import {type QuestionAnswer} from '../state/person-answers.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {type QuestionDetails} from '../state/person-event.ts';
import {type Clock} from '../util/clock.ts';
import {type JsonObject} from '../util/json-text.ts';
import {Problem, toProblem} from '../util/problem.ts';
import {type QuestionOutcome, questionOutcome, type QuestionStep} from './question-state.ts';
import {createPendingRequests} from './pending-requests.ts';
import {type RequestRows} from './request-rows.ts';
import {deadlineEvent, type WaitingTime} from './waiting-time.ts';

export {type QuestionOutcome};

/** A question for a person. Texts are safe to show; the queue adds id and times. */
export type Question = Omit<QuestionDetails, 'id' | 'requestedAt' | 'expiresAt' | 'left'>;

/** The result of a check of filled-in values: their final form, or what is wrong with them, safe to show. */
export type ValuesCheck =
	| {readonly kind: 'fit'; readonly values: JsonObject}
	| {readonly kind: 'unfit'; readonly problem: string};

export type AskOptions = {
	readonly timeoutSeconds: number;
	readonly signal?: AbortSignal;
	/** Completes and checks the values; without it they are taken as they are. */
	readonly check?: (values: JsonObject) => ValuesCheck;
	/** Called with the question as it is shown, once a person can see it. */
	readonly onAsked?: ((asked: QuestionDetails) => void) | undefined;
};

/** Asks a person and waits for the end. Never rejects; the asker's abort ends it as `cancelled`. */
export type AskPerson = (question: Question, options: AskOptions) => Promise<QuestionOutcome>;

/** The result of an answer: it decided, it came too late (or for an unknown id), or its values do not fit the form. */
export type QuestionResult =
	| {readonly kind: 'resolved' | 'already-settled'}
	| {readonly kind: 'unfit'; readonly problem: string};

/** The place where servers and runs ask a person something (docs/tool-servers.md, Elicitation). */
export type QuestionQueue = {
	readonly ask: AskPerson;
	/** The first answer that fits wins; after one that does not fit the question goes on waiting. */
	readonly answer: (answer: {
		readonly id: string;
		readonly answer: QuestionAnswer;
		/** The author: `console:N` or `cli`. */
		readonly by: string;
	}) => QuestionResult;
	/** The server says that the page of an answered question is finished with. */
	readonly finish: (question: Pick<QuestionDetails, 'id' | 'asker'>) => void;
	/** The questions that wait, oldest first. */
	readonly waiting: () => readonly QuestionDetails[];
	/** Cancels what matches, because its server was removed. */
	readonly withdraw: (matches: (request: QuestionDetails) => boolean) => void;
	/** Cancels everything; later questions are cancelled at once. */
	readonly close: () => void;
};

/** More than a person can look through; a question beyond it ends at once instead of piling up. */
export const maxWaitingQuestions = 50;

/** The event of an end. */
export function questionSettled(
	{id, kind, asker, node}: Pick<QuestionDetails, 'id' | 'kind' | 'asker' | 'node'>,
	outcome: QuestionOutcome,
): GatewayEventBody {
	const by = 'by' in outcome && outcome.by !== undefined ? {by: outcome.by} : {};
	const at = node === undefined ? {} : {node};
	return {type: 'question.settled', id, kind, asker, ...at, outcome: outcome.kind, ...by};
}

/** Opens the queue. A form needs somebody who sees it: without a console a question ends as `no_channel` at once. */
export function createQuestionQueue(options: {
	readonly clock: Clock;
	/** The time of the questions, which stands still while everything is held. */
	readonly time: WaitingTime;
	readonly publish: Publish;
	/** True if a person can see such a question. */
	readonly hasConsole: (question: Pick<Question, 'kind'>) => boolean;
	/** Writes the questions for other gateways. */
	readonly rows?: RequestRows<QuestionDetails, QuestionOutcome> | undefined;
}): QuestionQueue {
	const {publish, hasConsole, rows} = options;
	const checks = new Map<string, AskOptions['check']>();
	const questions = createPendingQuestions(options, ({id}) => checks.delete(id));

	const unreachable = (question: Pick<Question, 'kind'>): string | undefined => {
		if (questions.count() >= maxWaitingQuestions) {
			return `${maxWaitingQuestions} other questions are already waiting`;
		}

		return hasConsole(question) ? undefined : 'No dashboard is open';
	};

	return {
		async ask(question, {timeoutSeconds, signal, check, onAsked}) {
			const node = rows?.node();
			const limit = {kind: 'for', milliseconds: timeoutSeconds * 1000} as const;
			const request = {...question, ...questions.asked({limit, node})};
			if (questions.isOver(signal)) {
				return questions.refuse(request, {kind: 'withdrawn'});
			}

			const message = unreachable(question);
			if (message !== undefined) {
				return questions.refuse(request, {kind: 'unreachable', message});
			}

			const written =
				rows && node !== undefined
					? await questions.prepare(request, () => rows.write(request, {signal})).catch(toProblem)
					: request;
			if (written instanceof Problem) {
				return questions.refuse(request, {kind: 'unreachable', message: written.message});
			}

			if (questions.isOver(signal)) {
				return questions.refuse(request, {kind: 'withdrawn'});
			}

			checks.set(request.id, check);
			onAsked?.(written);
			return questions.wait(written, {limit, signal});
		},
		answer({id, answer, by}) {
			const checked = answer.kind === 'accept' ? checks.get(id)?.(answer.values) : undefined;
			if (checked?.kind === 'unfit') {
				return checked;
			}

			const final: QuestionAnswer = checked ? {kind: 'accept', values: checked.values} : answer;
			return {kind: questions.settle(id, {kind: 'answered', answer: final, by}) ? 'resolved' : 'already-settled'};
		},
		finish: ({id, asker}) => publish({type: 'question.finished', id, asker}),
		waiting: questions.list,
		withdraw: questions.withdraw,
		close: questions.close,
	};
}

function createPendingQuestions(
	{clock, time, publish, rows}: Pick<Parameters<typeof createQuestionQueue>[0], 'clock' | 'time' | 'publish' | 'rows'>,
	settled: (question: QuestionDetails) => void,
) {
	return createPendingRequests<QuestionDetails, QuestionStep, QuestionOutcome>({
		clock,
		time,
		outcomeOf: questionOutcome,
		deadlinePassed: {kind: 'deadline-passed'},
		withdrawn: {kind: 'withdrawn'},
		lateMilliseconds: rows?.lateMilliseconds,
		announce: request => publish({type: 'question.asked', ...request}),
		onDeadline(request) {
			rows?.setDeadline(request);
			publish(deadlineEvent('question', request));
		},
		onSettled(request, outcome) {
			settled(request);
			rows?.end(request, outcome);
			publish(questionSettled(request, outcome));
		},
	});
}
