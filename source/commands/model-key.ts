import {type Clock, openDeadline} from '../util/clock.ts';

/** The providers that a key can be checked with, and how each wants to be asked. */
const providers = {
	anthropic: {
		variable: 'ANTHROPIC_API_KEY',
		baseUrl: 'https://api.anthropic.com/v1',
		path: '/models',
		headers: (key: string) => ({'x-api-key': key, 'anthropic-version': '2023-06-01'}),
	},
	openai: {variable: 'OPENAI_API_KEY', baseUrl: 'https://api.openai.com/v1', path: '/models', headers: bearer},
	google: {
		variable: 'GEMINI_API_KEY',
		baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
		path: '/models',
		headers: (key: string) => ({'x-goog-api-key': key}),
	},
	// Its list of models is open to everyone.
	openrouter: {variable: 'OPENROUTER_API_KEY', baseUrl: 'https://openrouter.ai/api/v1', path: '/key', headers: bearer},
	'openai-compatible': {variable: 'MODEL_API_KEY', baseUrl: undefined, path: '/models', headers: bearer},
} as const;

export type ModelProvider = keyof typeof providers;

/** All of them, in the order in which they are offered. */
export const modelProviders: readonly ModelProvider[] = Object.keys(providers).filter(isModelProvider);

/** True for the name of a provider whose key can be checked. */
export function isModelProvider(name: string): name is ModelProvider {
	return Object.hasOwn(providers, name);
}

/** The variable that a provider's key is kept under, unless another one is named. */
export function keyVariable(provider: ModelProvider): string {
	return providers[provider].variable;
}

/** What became of a check. `unclear`: nobody could say, for the reason given. */
export type KeyCheck =
	| {readonly kind: 'works'}
	| {readonly kind: 'refused'; readonly status: number}
	| {readonly kind: 'unclear'; readonly reason: string};

const patienceMilliseconds = 10_000;

/** Asks the provider for something that costs nothing and needs the key. Never rejects. */
export async function checkModelKey(
	model: {readonly provider: ModelProvider; readonly baseUrl?: string; readonly key: string},
	{clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
): Promise<KeyCheck> {
	const {provider, key} = model;
	const {path, headers, ...standard} = providers[provider];
	const base = model.baseUrl ?? standard.baseUrl;
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
