import {type AskOptions, type Question, type QuestionOutcome} from './question-queue.ts';

/** The kinds of requests that a program can put to its own person: a form, or an address to open. */
export type AskingMode = 'form' | 'url';

/** A program that calls tools and can ask its own person in place of a console (docs/endpoint.md, Questions of servers). */
export type AskCaller = {
	readonly modes: ReadonlySet<AskingMode>;
	/**
	Sends it a question whose message begins with the name of the server. `elicitationId` names the page of one with an address. Never rejects: a
	program that cannot do what it declared is `no_channel`, with the reason.
	*/
	readonly ask: (
		question: Question,
		options: Omit<AskOptions, 'check'> & {readonly elicitationId: string},
	) => Promise<QuestionOutcome>;
	/** Says that the page of an earlier question is finished with. */
	readonly finished: (elicitationId: string) => void;
};
