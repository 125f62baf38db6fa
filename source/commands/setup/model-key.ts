import {modelProviders, type ProviderName} from '../../agent/models/model-providers.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';

/** How each provider is asked whether a key works. */
const questions: Readonly<Record<ProviderName, KeyQuestion>> = {
	anthropic: {path: '/models', headers: key => ({'x-api-key': key, 'anthropic-version': '2023-06-01'})},
	openai: {path: '/models', headers: bearer},
	google: {path: '/models', headers: key => ({'x-goog-api-key': key})},
	// Its list of models is open to everyone.
	openrouter: {path: '/key', headers: bearer},
	'openai-compatible': {path: '/models', headers: bearer},
};

type KeyQuestion = {readonly path: string; readonly headers: (key: string) => Readonly<Record<string, string>>};

/** All providers, in the order in which they are offered. */
export const setupProviders: readonly ProviderName[] = Object.keys(questions).filter(isModelProvider);

/** True for the name of a provider. */
export function isModelProvider(name: string): name is ProviderName {
	return Object.hasOwn(questions, name);
}

/** The variable that a provider's key is kept under, unless another one is named. */
export function keyVariable(provider: ProviderName): string {
	return modelProviders[provider].keyVariables[0] ?? 'MODEL_API_KEY';
}

/** What became of a check. `unclear`: nobody could say, for the reason given. */
export type KeyCheck =
	| {readonly kind: 'works'}
	| {readonly kind: 'refused'; readonly status: number}
	| {readonly kind: 'unclear'; readonly reason: string};

const patienceMilliseconds = 10_000;

/** Asks the provider for something that costs nothing and needs the key. Never rejects. */
export async function checkModelKey(
	model: {readonly provider: ProviderName; readonly baseUrl?: string; readonly key: string},
	{clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
): Promise<KeyCheck> {
	const {provider, key} = model;
	const {path, headers} = questions[provider];
	const base = model.baseUrl ?? modelProviders[provider].baseUrl;
	if (base === undefined || !/^https?:\/\//u.test(base) || !URL.canParse(base)) {
		return {kind: 'unclear', reason: 'there is no address to ask'};
	}

	const deadline = openDeadline(clock, patienceMilliseconds, {signal, reason: () => new Error('too slow')});
	try {
		const url = `${base.replace(/\/+$/u, '')}${path}`;
		const response = await fetch(url, {headers: headers(key), redirect: 'error', signal: deadline.signal});
		await response.body?.cancel();
		if (response.ok) {
			return {kind: 'works'};
		}

		return response.status === 401 || response.status === 403
			? {kind: 'refused', status: response.status}
			: {kind: 'unclear', reason: `the provider answered ${response.status}`};
	} catch {
		return {kind: 'unclear', reason: 'the provider cannot be reached'};
	} finally {
		deadline.cancel();
	}
}

function bearer(key: string) {
	return {authorization: `Bearer ${key}`};
}
