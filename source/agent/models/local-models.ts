import {z} from 'zod';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {parseJson} from '../../util/json-text.ts';
import {hadNoFile, tooManyOpenFiles} from '../../util/open-files.ts';
import {Problem} from '../../util/problem.ts';

/** A model server on a person's own machine: the URLs of its model list and of its API. */
export type LocalServer = {readonly label: string; readonly listUrl: string; readonly baseUrl: string};

/** The usual ones, in order of preference; only loopback addresses. */
export const localServers: readonly LocalServer[] = [
	onPort('Ollama', 11_434, '/api/tags'),
	onPort('LM Studio', 1234, '/v1/models'),
	onPort('llama.cpp', 8080, '/v1/models'),
	onPort('vLLM', 8000, '/v1/models'),
];

/** The models of a server; undefined when there is no response in time or it is not a list. Rejects only with `too_many_open_files`. */
export type ListModels = (url: string, options?: ListOptions) => Promise<readonly string[] | undefined>;

type ListOptions = {
	readonly apiKey?: string;
	/** A guessed port of this machine, or a configured URL, which may be remote. */
	readonly place?: 'guessed' | 'configured';
};

const timeoutMilliseconds = {guessed: 300, configured: 5000} as const;
const largestListBytes = 1_000_000;

const modelList = z.union([
	z.object({models: z.array(z.object({name: z.string()}))}).transform(({models}) => models.map(model => model.name)),
	z.object({data: z.array(z.object({id: z.string()}))}).transform(({data}) => data.map(model => model.id)),
]);

/** Creates the function that lists models with one request without redirects. Guessed URLs have 300 ms, so that a run never waits for an unresponsive port, configured ones 5 s. */
export function createListModels(clock: Clock): ListModels {
	return async (url, {apiKey, place = 'guessed'} = {}) => {
		const deadline = openDeadline(clock, timeoutMilliseconds[place], {
			reason: () => new Problem('fetch_failed'),
		});
		try {
			return await untilAborted(ask(url, {apiKey, signal: deadline.signal}), deadline.signal);
		} catch (caught) {
			// Without a free file descriptor it is unknown whether the server runs.
			if (hadNoFile(caught)) {
				throw tooManyOpenFiles(caught);
			}

			return undefined;
		} finally {
			deadline.cancel();
		}
	};
}

async function ask(
	url: string,
	{apiKey, signal}: {readonly apiKey: string | undefined; readonly signal: AbortSignal},
): Promise<readonly string[] | undefined> {
	const headers = apiKey === undefined ? {} : {authorization: `Bearer ${apiKey}`};
	const answer = await fetch(url, {headers, signal, redirect: 'error'});
	let text = '';
	for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
		text += chunk;
		if (text.length > largestListBytes) {
			return undefined;
		}
	}

	const parsed = modelList.safeParse(parseJson(text));
	// Embedding models are in the same list and cannot hold a conversation.
	return answer.ok && parsed.success ? parsed.data.filter(name => !/embed/iu.test(name)) : undefined;
}

function onPort(label: string, port: number, path: string): LocalServer {
	const origin = `http://127.0.0.1:${port}`;
	return {label, listUrl: `${origin}${path}`, baseUrl: `${origin}/v1`};
}
