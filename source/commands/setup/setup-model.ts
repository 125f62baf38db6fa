import {modelProviders, type ProviderName} from '../../agent/models/model-providers.ts';
import {isLoopbackHost} from '../../config/webhooks/refusals.ts';
import {type Clock, openDeadline} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command.ts';
import {type Dialog} from '../cli/dialog.ts';
import {type SetUpPart} from './gateway-setup.ts';

type KeyQuestion = {
	readonly provider: ProviderName;
	readonly baseUrl: string | undefined;
	readonly variable: string;
	readonly known: string | undefined;
	readonly dialog: Dialog | undefined;
};

type KeyEndpoint = {readonly path: string; readonly headers: (key: string) => Readonly<Record<string, string>>};

/** The result of a check of a key. `unclear`: not known, for the given reason. */
type KeyCheck =
	| {readonly kind: 'works'}
	| {readonly kind: 'refused'; readonly status: number}
	| {readonly kind: 'unclear'; readonly reason: string};

/** The request for each provider that tells whether a key works. */
const keyEndpoints: Readonly<Record<ProviderName, KeyEndpoint>> = {
	anthropic: {path: '/models', headers: key => ({'x-api-key': key, 'anthropic-version': '2023-06-01'})},
	openai: {path: '/models', headers: bearer},
	google: {path: '/models', headers: key => ({'x-goog-api-key': key})},
	// Its list of models is open to everyone.
	openrouter: {path: '/key', headers: bearer},
	'openai-compatible': {path: '/models', headers: bearer},
};

/** All providers, in the order in which they are offered. */
const setupProviders: readonly ProviderName[] = Object.keys(keyEndpoints).filter(isModelProvider);

const patienceMilliseconds = 10_000;

/** Names the model of agent runs, and checks its key with the provider. Flags answer before anybody is asked. A model server of this machine needs no key. */
export async function setUpModel(context: CommandContext, {config, change, dialog}: SetUpPart): Promise<undefined> {
	const provider = await askForProvider(context, dialog);
	if (provider === undefined) {
		return undefined;
	}

	const {flags} = context;
	const isCompatible = provider === 'openai-compatible';
	const name = flags.model ?? (await askUntil(context, dialog, 'Model', nameProblem)) ?? '';
	const baseUrl =
		flags.baseUrl ??
		(isCompatible ? await askUntil(context, dialog, 'Base URL of the provider', urlProblem) : undefined);
	if (name === '' || (isCompatible && !baseUrl)) {
		throw new Problem('bad_usage', {message: 'A model needs --model, and openai-compatible also needs --base-url'});
	}

	const model = {provider, name, ...(baseUrl !== undefined && {base_url: baseUrl})};
	for (const [member, value] of Object.entries(model)) {
		change.config.set(['model', member], value);
	}

	if (isCompatible && flags.apiKeyEnv === undefined && !(await needsKey(baseUrl ?? '', context))) {
		change.config.remove(['model', 'api_key']);
		return undefined;
	}

	const variable = flags.apiKeyEnv ?? keyVariable(provider);
	const key = await askForKey(context, {provider, baseUrl, variable, known: config.variable(variable), dialog});
	if (key !== undefined && key !== config.variable(variable)) {
		change.setVariables({[variable]: key});
	}

	change.config.set(['model', 'api_key'], `\${${variable}}`);
	return undefined;
}

/** Asks until the answer has no problem; undefined: nobody can be asked. */
async function askUntil(
	context: CommandContext,
	dialog: Dialog | undefined,
	question: string,
	problemOf: (answer: string) => string | undefined,
): Promise<string | undefined> {
	for (;;) {
		const answer = await dialog?.ask(question);
		const problem = answer === undefined ? undefined : problemOf(answer);
		if (problem === undefined) {
			return answer;
		}

		context.stderr(`${problem}\n`);
	}
}

function nameProblem(name: string): string | undefined {
	return name === '' ? 'Type the name of a model, as its provider lists it.' : undefined;
}

function urlProblem(text: string): string | undefined {
	return /^https?:\/\//u.test(text) && URL.canParse(text)
		? undefined
		: 'Type a URL that begins with http:// or https://, such as http://127.0.0.1:11434/v1';
}

/** A server of this machine needs a key only if it refuses to answer without one. */
async function needsKey(baseUrl: string, context: CommandContext): Promise<boolean> {
	const hostname = URL.parse(baseUrl)?.hostname.replace(/^\[|\]$/gu, '') ?? '';
	if (!isLoopbackHost(hostname)) {
		return true;
	}

	if (context.flags.probe === false) {
		return false;
	}

	const check = await checkModelKey({provider: 'openai-compatible', baseUrl}, context);
	if (check.kind !== 'refused') {
		const isThere = check.kind === 'works';
		context.stderr(
			isThere ? 'The model server answers.\n' : `The model server could not be checked: ${check.reason}.\n`,
		);
	}

	return check.kind === 'refused';
}

async function askForProvider(context: CommandContext, dialog: Dialog | undefined): Promise<ProviderName | undefined> {
	const given = context.flags.provider;
	for (;;) {
		const typed = given ?? (await dialog?.ask(`Model for agent runs: ${setupProviders.join(', ')}; Enter for none`));
		if (typed === undefined || typed === '' || typed === 'none') {
			return undefined;
		}

		if (isModelProvider(typed)) {
			return typed;
		}

		if (given !== undefined) {
			throw new Problem('bad_usage', {message: `--provider must be one of ${setupProviders.join(', ')}, none`});
		}

		context.stderr('That is not in the list.\n');
	}
}

/** The key, checked; undefined: none, for now. Throws `server_unauthorized` for a key that is refused when nobody can give another one. */
async function askForKey(context: CommandContext, question: KeyQuestion): Promise<string | undefined> {
	const {provider, baseUrl, variable, known, dialog} = question;
	let key = known;
	for (;;) {
		key ??=
			(await dialog?.askSecret(`API key, stored in .env as ${variable} (not shown; Enter for none)`)) || undefined;
		if (key === undefined || context.flags.probe === false) {
			warnMissingKey(context, variable, key);
			return key;
		}

		const check = await checkModelKey({provider, baseUrl, key}, context);
		if (check.kind !== 'refused') {
			const words = check.kind === 'works' ? 'The key works.' : `The key could not be checked: ${check.reason}.`;
			context.stderr(`${words}\n`);
			return key;
		}

		if (!dialog) {
			const message = `The provider rejected the key in ${variable} (${check.status})`;
			throw new Problem('server_unauthorized', {message});
		}

		context.stderr(`The provider rejected that key (${check.status}).\n`);
		key = undefined;
	}
}

function warnMissingKey(context: CommandContext, variable: string, key: string | undefined): void {
	if (key === undefined) {
		context.stderr(`${variable} is not set yet; add it to .env.\n`);
	}
}

/** Asks the provider for something that costs nothing, with the key if there is one. Never rejects. */
export async function checkModelKey(
	model: {readonly provider: ProviderName; readonly baseUrl?: string | undefined; readonly key?: string},
	{clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
): Promise<KeyCheck> {
	const {provider, key} = model;
	const {path, headers} = keyEndpoints[provider];
	const base = model.baseUrl ?? modelProviders[provider].baseUrl;
	if (base === undefined || !/^https?:\/\//u.test(base) || !URL.canParse(base)) {
		return {kind: 'unclear', reason: 'there is no URL to check'};
	}

	const deadline = openDeadline(clock, patienceMilliseconds, {signal, reason: () => new Error('no answer in time')});
	try {
		const url = `${base.replace(/\/+$/u, '')}${path}`;
		const response = await fetch(url, {
			headers: key === undefined ? {} : headers(key),
			redirect: 'error',
			signal: deadline.signal,
		});
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

/** True for the name of a provider. */
function isModelProvider(name: string): name is ProviderName {
	return Object.hasOwn(keyEndpoints, name);
}

/** The variable that a provider's key is kept under, unless another one is named. */
function keyVariable(provider: ProviderName): string {
	return modelProviders[provider].keyVariables[0] ?? 'MODEL_API_KEY';
}

function bearer(key: string) {
	return {authorization: `Bearer ${key}`};
}
