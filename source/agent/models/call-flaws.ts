import {type LanguageModelMiddleware} from 'ai';
import {lossInJson, lossInValue, parseJson} from '../../util/json-text.ts';

/** Finds calls of a model whose arguments would not be those that it wrote: the libraries parse them before a tool gets them. */
export type CallFlaws = {
	/** The reason not to make a call of the latest answer, by its id; undefined if it has no flaw. */
	readonly flawOf: (toolCallId: string) => string | undefined;
	/** Reads the text of each call. */
	readonly middleware: LanguageModelMiddleware;
	/** Reads the events of a provider whose library gives no text of a call. */
	readonly watchEvents: (response: Response) => Response;
};

/** Creates the check of one run's calls. */
export function createCallFlaws(): CallFlaws {
	const flaws = new Map<string, string>();
	let flawOfAnswer: string | undefined;
	const readCall = (toolCallId: string, input: string): string => {
		const flaw = lossInJson(input) ?? flawOfAnswer;
		// An id may come twice in one answer.
		if (flaw !== undefined) {
			flaws.set(toolCallId, flaw);
		}

		// The library would refuse such a text in words of its own.
		return lossInValue(parseJson(input)) === undefined ? input : '{}';
	};

	return {
		flawOf: toolCallId => flaws.get(toolCallId),
		middleware: {
			specificationVersion: 'v4',
			async wrapStream({doStream}) {
				flaws.clear();
				flawOfAnswer = undefined;
				const {stream, ...rest} = await doStream();
				const read = new TransformStream<StreamPart, StreamPart>({
					transform(part, controller) {
						const isCall = part.type === 'tool-call';
						controller.enqueue(isCall ? {...part, input: readCall(part.toolCallId, part.input)} : part);
					},
				});
				return {stream: stream.pipeThrough(read), ...rest};
			},
		},
		watchEvents: response =>
			watchLines(response, line => {
				// Other numbers of an event are not arguments.
				flawOfAnswer ??= line.includes('"functionCall"') ? lossInJson(line.replace(/^data: ?/u, '')) : undefined;
			}),
	};
}

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type StreamPart = Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** The same response, whose lines are read before their bytes are passed on. */
function watchLines(response: Response, onLine: (line: string) => void): Response {
	const decoder = new TextDecoder();
	let begun = '';
	const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
		transform(chunk, controller) {
			const text = decoder.decode(chunk, {stream: true});
			const end = text.lastIndexOf('\n');
			if (end !== -1) {
				`${begun}${text.slice(0, end)}`.split('\n').forEach(onLine);
				begun = '';
			}

			begun += text.slice(end + 1);
			controller.enqueue(chunk);
		},
		flush: () => onLine(begun),
	});
	return response.body ? new Response(response.body.pipeThrough(watch), response) : response;
}
