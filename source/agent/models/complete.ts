import {generateText, type LanguageModelUsage, type ModelMessage} from 'ai';
import {type Reservation} from '../spending.ts';
import {type Completion, type CompletionPart, type CompletionRequest} from './completion.ts';
import {createLanguageModel, needModel, toModelProblem} from './language-model.ts';
import {type ChosenModel, type ModelChoice} from './model-choice.ts';

export type CompleteOptions = {
	readonly choice: ModelChoice;
	readonly signal: AbortSignal;
	readonly maxRetries?: number;
	/** Until the whole answer is there; it does not come in pieces. */
	readonly timeoutSeconds: number;
	/** Counts each request before it is sent; what it rejects with is passed on, and nothing is sent. */
	readonly reserve?:
		| ((request: {
				readonly model: ChosenModel;
				readonly bytes: number;
				readonly maxOutputTokens: number;
		  }) => Promise<Reservation>)
		| undefined;
};

/** Asks a model once, without tools. Rejects with the Problem that prevents an answer, or with the reason of the signal. */
export async function complete(request: CompletionRequest, options: CompleteOptions): Promise<Completion> {
	const {signal, maxRetries = 3, timeoutSeconds} = options;
	const chosen = withName(needModel(options.choice), request.model);
	const counted = countRequest(options.reserve, {model: chosen, maxOutputTokens: request.maximumTokens});
	try {
		const {text, finishReason, usage} = await generateText({
			model: await createLanguageModel(chosen, counted),
			...(request.system !== undefined && {instructions: request.system}),
			messages: request.messages.map(({role, parts}) => toMessage(role, parts)),
			maxOutputTokens: request.maximumTokens,
			...(request.temperature !== undefined && {temperature: request.temperature}),
			...(request.stopSequences && {stopSequences: [...request.stopSequences]}),
			maxRetries,
			timeout: timeoutSeconds * 1000,
			abortSignal: signal,
		});
		counted?.settle(usage);
		return {text, model: chosen.name, stopReason: finishReason === 'length' ? 'maxTokens' : 'endTurn'};
	} catch (caught) {
		signal.throwIfAborted();
		throw counted?.refusal() ?? toModelProblem(caught, chosen);
	}
}

/** Counts the requests of one answer: the last of them brings it. */
function countRequest(
	reserve: CompleteOptions['reserve'],
	request: {readonly model: ChosenModel; readonly maxOutputTokens: number},
) {
	let reservation: Reservation | undefined;
	let refused: unknown;
	return (
		reserve && {
			async reserve(bytes: number): Promise<Reservation> {
				reservation = await reserve({...request, bytes}).catch((caught: unknown) => {
					refused = caught;
					throw caught;
				});
				return reservation;
			},
			settle({inputTokens, outputTokens}: LanguageModelUsage) {
				reservation?.settle({
					...(inputTokens !== undefined && {inputTokens}),
					...(outputTokens !== undefined && {outputTokens}),
				});
			},
			/** The reason that a request was not sent. */
			refusal: () => refused,
		}
	);
}

function withName(chosen: ChosenModel, name: string | undefined): ChosenModel {
	return name === undefined ? chosen : {...chosen, name};
}

/** Only the text of an earlier answer is used. */
function toMessage(role: 'user' | 'assistant', parts: readonly CompletionPart[]): ModelMessage {
	if (role === 'assistant') {
		return {role, content: parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('\n')};
	}

	return {
		role,
		content: parts.map(part =>
			part.kind === 'text'
				? ({type: 'text', text: part.text} as const)
				: ({type: 'file', mediaType: part.mediaType, data: Buffer.from(part.data, 'base64')} as const),
		),
	};
}
