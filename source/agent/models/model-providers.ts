/** The providers of models. */
export type ProviderName = 'anthropic' | 'openai' | 'google' | 'openrouter' | 'openai-compatible';

/** The properties of a provider. */
export type ProviderFacts = {
	/** Environment variables for its key; the first that is set counts. Empty: it works without a key. */
	readonly keyVariables: readonly string[];
	/** Absent: it must be configured. */
	readonly baseUrl?: string;
	/** Absent: it must be configured, or is the first one in the server's list. */
	readonly defaultModel?: string;
	/** The context window of the smallest of its usual models, in tokens; too small rather than too large. */
	readonly contextTokens: number;
	/** True if images in tool results reach the model as images; otherwise they would be sent as text. */
	readonly resultImages: boolean;
};

/** All providers, in the order in which `auto` looks for their keys. */
export const modelProviders: Readonly<Record<ProviderName, ProviderFacts>> = {
	anthropic: {
		keyVariables: ['ANTHROPIC_API_KEY'],
		baseUrl: 'https://api.anthropic.com/v1',
		defaultModel: 'claude-sonnet-5-5',
		contextTokens: 200_000,
		resultImages: true,
	},
	openai: {
		keyVariables: ['OPENAI_API_KEY'],
		baseUrl: 'https://api.openai.com/v1',
		defaultModel: 'gpt-5.4',
		contextTokens: 200_000,
		resultImages: true,
	},
	openrouter: {
		keyVariables: ['OPENROUTER_API_KEY'],
		baseUrl: 'https://openrouter.ai/api/v1',
		defaultModel: 'openrouter/auto',
		contextTokens: 128_000,
		resultImages: false,
	},
	google: {
		keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
		baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
		defaultModel: 'gemini-3.8-flash',
		contextTokens: 500_000,
		resultImages: true,
	},
	'openai-compatible': {keyVariables: [], contextTokens: 32_000, resultImages: false},
};
