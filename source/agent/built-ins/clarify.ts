import {z} from 'zod';
import {type AskPerson} from '../../approvals/question-queue.ts';
import {type Origin, safeOrigin} from '../../state/origin.ts';
import {type FormField} from '../../state/person-event.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {safeText} from '../../util/safe-text.ts';
import {type BuiltIn} from './built-in-tool.ts';

const inputSchema = {
	type: 'object',
	properties: {
		question: {type: 'string', minLength: 1, maxLength: 2000, description: 'The question, complete in itself.'},
		options: {
			type: 'array',
			items: {type: 'string', minLength: 1, maxLength: 200},
			minItems: 2,
			maxItems: 9,
			description: 'Answers to choose from; the person may write another one.',
		},
	},
	required: ['question'],
	additionalProperties: false,
};

const input = z.object({question: z.string(), options: z.array(z.string()).optional()});

const noAnswer = 'There is no answer. Decide yourself, and say in your answer what you assumed.';

/** The built-in `clarify`: a question to the person at the terminal. The model always gets an answer. */
export function clarify(options: {
	readonly ask: AskPerson;
	readonly origin: Origin;
	/** The time limit for a person; read at every question. */
	readonly timeoutSeconds: number;
}): BuiltIn {
	const {ask, origin, timeoutSeconds} = options;
	return {
		name: 'clarify',
		description: 'Asks the person at the terminal a question, when nothing else can answer it.',
		inputSchema,
		async work(given, {signal, onWaiting}) {
			const {question, options: choices = []} = input.parse(given);
			const message = safeText(question, {multiline: true});
			onWaiting('answer');
			const outcome = await ask(
				{kind: 'clarify', asker: askerOf(origin), message, fields: fields(choices), origin: safeOrigin(origin)},
				{timeoutSeconds, signal},
			);
			onWaiting('nothing');
			return outcome.kind === 'answered' ? answerText(outcome.values, choices) : noAnswer;
		},
	};
}

function askerOf(origin: Origin): string {
	return origin.kind === 'run' ? `run ${origin.runId}` : 'run';
}

function fields(choices: readonly string[]): readonly FormField[] {
	const answer = {title: 'Answer', description: ''} as const;
	if (choices.length === 0) {
		return [{...answer, kind: 'text', name: 'answer', need: 'required'}];
	}

	const options = choices.map((choice, index) => ({value: String(index), title: safeText(choice)}));
	return [
		{...answer, kind: 'choice', name: 'choice', need: 'optional', options},
		{...answer, title: 'Or in other words', kind: 'text', name: 'answer', need: 'optional'},
	];
}

/** A typed answer takes precedence over a choice. */
function answerText({answer, choice}: JsonObject, choices: readonly string[]): string {
	const written = typeof answer === 'string' ? answer.trim() : '';
	const chosen = typeof choice === 'string' ? choices[Number(choice)] : undefined;
	const texts = [chosen, written].filter(text => text !== undefined && text !== '');
	return texts.length === 0 ? noAnswer : texts.join('\n');
}
