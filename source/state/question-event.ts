import {type Origin} from './origin.ts';

type NamedField = {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly need: 'required' | 'optional';
};

/** A value to choose, and what it is called. */
export type FieldOption = {readonly value: string; readonly title: string};

/** One field of a form. Bounds are inclusive; texts are counted in code points. */
export type FormField = NamedField &
	(
		| {
				readonly kind: 'text';
				readonly format?: 'email' | 'uri' | 'date' | 'date-time';
				readonly minimumLength?: number;
				readonly maximumLength?: number;
				readonly pattern?: string;
				readonly defaultValue?: string;
		  }
		| {
				readonly kind: 'number' | 'integer';
				readonly minimum?: number;
				readonly maximum?: number;
				readonly defaultValue?: number;
		  }
		| {readonly kind: 'boolean'; readonly defaultValue?: boolean}
		| {readonly kind: 'choice'; readonly options: readonly FieldOption[]; readonly defaultValue?: string}
		| {
				readonly kind: 'choices';
				readonly options: readonly FieldOption[];
				readonly minimumItems?: number;
				readonly maximumItems?: number;
				readonly defaultValue?: readonly string[];
		  }
	);

/** A question for the person at the terminal: a form that a server asks for, or a question of an agent. Texts are safe to show. */
export type QuestionDetails = {
	readonly id: string;
	readonly kind: 'elicitation' | 'clarify';
	/** Who wants to know: a server's name, or the run. */
	readonly asker: string;
	readonly message: string;
	readonly fields: readonly FormField[];
	readonly origin: Origin;
	readonly requestedAt: number;
	readonly expiresAt: number;
};

/** The ends of a question, kept apart (docs/tool-servers.md, Elicitation). */
export type QuestionOutcome = 'answered' | 'declined' | 'cancelled' | 'timed_out' | 'no_channel';

/** The life of a question. */
export type QuestionEvent =
	| ({readonly type: 'question.asked'} & QuestionDetails)
	| {
			readonly type: 'question.settled';
			readonly id: string;
			readonly kind: QuestionDetails['kind'];
			readonly asker: string;
			readonly outcome: QuestionOutcome;
			readonly by?: string;
	  };
