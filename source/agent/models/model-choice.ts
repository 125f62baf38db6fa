import {type ModelConfig} from '../../config/read/model-config.ts';
import {type GatewayEventBody} from '../../state/event.ts';
import {safeText} from '../../util/safe-text.ts';
import {modelProviders, type ProviderName} from './model-providers.ts';

/** A usable model. The key is a secret. */
export type ChosenModel = {
	readonly kind: 'model';
	readonly provider: ProviderName;
	readonly name: string;
	readonly baseUrl: string;
	readonly apiKey?: string;
	readonly source: 'config' | 'environment' | 'local';
	/** The step of the choice that selected it, for people. */
	readonly why: string;
};

/** The model of runs. `broken`: one is configured, but unusable as written. */
export type ModelChoice =
	| ChosenModel
	| {readonly kind: 'none'; readonly why: string}
	| {readonly kind: 'broken'; readonly why: string};

/** A choice made without a request, or the next request: list the models of a URL, or those of the servers on this machine. */
export type FirstChoice =
	| ModelChoice
	| {readonly kind: 'ask-address'; readonly model: Omit<ChosenModel, 'name'>}
	| {readonly kind: 'ask-machine'};

/** Resolves variables in configured texts. */
export type ChoiceScope = {
	/** The profile's `.env`, then the environment of the process. */
	readonly variables: (name: string) => string | undefined;
	readonly expand: (text: string) => string;
};

/** Chooses a model as far as possible without a request: the configuration, then keys (docs/configuration.md, How values are read). Pure. */
export function chooseModel(config: ModelConfig, scope: ChoiceScope): FirstChoice {
	const {provider} = config;
	if (provider === 'none') {
		return {kind: 'none', why: 'model.provider is none'};
	}

	return provider === 'auto'
		? (chooseByConfig(config, scope) ?? chooseByKey(config, scope) ?? {kind: 'ask-machine'})
		: configured(provider, config, {scope, candidate: {source: 'config', why: `model.provider is ${provider}`}});
}

/** The event with the model of runs and the reason for the choice, without the key. */
export function modelStateEvent(choice: ModelChoice): Extract<GatewayEventBody, {type: 'model.state'}> {
	const reason = safeText(choice.why);
	switch (choice.kind) {
		case 'model': {
			const {provider, name, source} = choice;
			return {type: 'model.state', provider, model: safeText(name, {maximumCharacters: 200}), source, reason};
		}

		case 'broken':
			return {type: 'model.state', provider: 'none', source: 'config', reason};
		case 'none':
			return {type: 'model.state', provider: 'none', source: 'none', reason};
	}
}

/** A URL without a provider is that of an OpenAI-compatible server. */
function chooseByConfig(config: ModelConfig, scope: ChoiceScope): FirstChoice | undefined {
	if (config.baseUrl !== undefined) {
		return configured('openai-compatible', config, {
			scope,
			candidate: {source: 'config', why: 'model.base_url is set'},
		});
	}

	return config.apiKey === undefined
		? undefined
		: {kind: 'broken', why: '`model.api_key` is set, but `model.provider` and `model.base_url` are not'};
}

function chooseByKey(config: ModelConfig, scope: ChoiceScope): FirstChoice | undefined {
	for (const provider of Object.keys(modelProviders).filter(isProvider)) {
		const variable = keyVariable(provider, scope);
		if (variable !== undefined) {
			return configured(provider, config, {scope, candidate: {source: 'environment', why: `${variable} is set`}});
		}
	}

	return undefined;
}

function configured(
	provider: ProviderName,
	config: ModelConfig,
	{scope, candidate}: {readonly scope: ChoiceScope; readonly candidate: Pick<ChosenModel, 'source' | 'why'>},
): FirstChoice {
	const {baseUrl: usualUrl, keyVariables, defaultModel} = modelProviders[provider];
	const baseUrl = config.baseUrl === undefined ? usualUrl : scope.expand(config.baseUrl);
	if (baseUrl === undefined) {
		return {kind: 'broken', why: `${provider} needs \`model.base_url\``};
	}

	if (!/^https?:$/u.test(URL.parse(baseUrl)?.protocol ?? '')) {
		return {kind: 'broken', why: '`model.base_url` is not an http:// or https:// address'};
	}

	const apiKey = keyOf(provider, config, scope);
	if (apiKey === undefined && keyVariables.length > 0) {
		return {
			kind: 'broken',
			why: `${provider} needs a key: set \`model.api_key\` or the variable ${keyVariables.join(' or ')}`,
		};
	}

	const model = {kind: 'model', provider, baseUrl, ...(apiKey === undefined ? {} : {apiKey}), ...candidate} as const;
	const name = config.name === undefined ? defaultModel : scope.expand(config.name);
	return name === undefined ? {kind: 'ask-address', model} : {...model, name};
}

/** An unresolved variable reference is not a key. */
function keyOf(provider: ProviderName, config: ModelConfig, scope: ChoiceScope): string | undefined {
	const written = config.apiKey === undefined ? undefined : scope.expand(config.apiKey);
	const variable = keyVariable(provider, scope);
	return written === undefined
		? variable && scope.variables(variable)
		: /^\$\{[^}]+\}$/u.test(written)
			? undefined
			: written;
}

function keyVariable(provider: ProviderName, {variables}: ChoiceScope): string | undefined {
	return modelProviders[provider].keyVariables.find(name => variables(name) !== undefined);
}

function isProvider(name: string): name is ProviderName {
	return Object.hasOwn(modelProviders, name);
}
