import {type ModelConfig} from '../../config/read/model-config.ts';
import {type Clock} from '../../util/clock.ts';
import {type ListModels, type LocalServer, localServers} from './local-models.ts';
import {type ChoiceScope, chooseModel, type FirstChoice, type ModelChoice} from './model-choice.ts';

/** Chooses the models of a profile's runs. */
export type Models = {
	/** Chosen at the first call and cached until `forget`; a result of no model is cached for a minute. Rejects only with `too_many_open_files`; the next call then chooses again. */
	readonly ofRuns: () => Promise<ModelChoice>;
	/** For images: `vision_model`, else the model of the runs. Rejects as `ofRuns` does. */
	readonly ofVision: () => Promise<ModelChoice>;
	/** True if there is a model for runs, as far as known without a request; a configured URL counts as a model. */
	readonly isKnown: () => boolean;
	/** The configuration has changed: clears the choice. */
	readonly forget: () => void;
};

export type ModelsOptions = {
	readonly clock: Clock;
	/** Read at every choice, so that it may be a live view of the configuration. */
	readonly config: () => {readonly model: ModelConfig; readonly visionModel?: ModelConfig};
	readonly scope: ChoiceScope;
	readonly listModels: ListModels;
	/** Called with every choice for runs. */
	readonly chosen: (choice: ModelChoice) => void;
	/** Default: the usual ones of this machine. */
	readonly servers?: readonly LocalServer[];
};

/** A model server may be started at any time, so a result of no model is cached for a minute. */
const withoutMilliseconds = 60_000;

/** A choice and its expiry, by the clock's `elapsed`. */
type CachedChoice = {until: number; made?: ModelChoice; readonly choice: Promise<ModelChoice>};

/** Creates the choice of models. Nothing is requested before the first call. */
export function createModels(options: ModelsOptions): Models {
	const {clock, config, chosen} = options;
	const choose = async (wanted: ModelConfig) => complete(chooseModel(wanted, options.scope), wanted, options);
	let cached: CachedChoice | undefined;

	const chooseForRuns = (): CachedChoice => {
		const fresh: CachedChoice = {
			until: Number.POSITIVE_INFINITY,
			choice: choose(config().model).then(report, forgetIt),
		};
		function forgetIt(caught: unknown): never {
			cached = cached === fresh ? undefined : cached;
			throw caught;
		}

		function report(choice: ModelChoice) {
			fresh.made = choice;
			fresh.until = choice.kind === 'model' ? fresh.until : clock.elapsed() + withoutMilliseconds;
			// Unless it was cleared meanwhile.
			if (cached === fresh) {
				chosen(choice);
			}

			return choice;
		}

		return fresh;
	};

	const ofRuns = () => {
		if (!cached || cached.until <= clock.elapsed()) {
			cached = chooseForRuns();
		}

		return cached.choice;
	};

	return {
		ofRuns,
		ofVision() {
			const {visionModel} = config();
			return visionModel ? choose(visionModel) : ofRuns();
		},
		isKnown() {
			const {kind} = cached?.made ?? chooseModel(config().model, options.scope);
			return kind === 'model' || kind === 'ask-address';
		},
		forget() {
			cached = undefined;
		},
	};
}

async function complete(
	first: FirstChoice,
	wanted: ModelConfig,
	{listModels, scope, servers = localServers}: ModelsOptions,
): Promise<ModelChoice> {
	switch (first.kind) {
		case 'model':
		case 'none':
		case 'broken':
			return first;
		case 'ask-address': {
			const {model} = first;
			const [name] = (await listModels(`${model.baseUrl}/models`, {apiKey: model.apiKey, place: 'configured'})) ?? [];
			return name === undefined
				? {kind: 'broken', why: '`model.name` is not set, and the server at `model.base_url` does not list its models'}
				: {...model, name};
		}

		case 'ask-machine':
			return askMachine(wanted, {listModels, servers, expand: scope.expand});
	}
}

/** Asks all servers at once; the first in the list with a model wins. */
async function askMachine(
	{name: wanted}: ModelConfig,
	{
		listModels,
		servers,
		expand,
	}: Pick<ModelsOptions, 'listModels'> & {servers: readonly LocalServer[]} & Pick<ChoiceScope, 'expand'>,
): Promise<ModelChoice> {
	const lists = await Promise.all(servers.map(server => listModels(server.listUrl)));
	for (const [index, {label, baseUrl}] of servers.entries()) {
		const name = wanted === undefined ? lists[index]?.[0] : lists[index]?.find(one => one === expand(wanted));
		if (name !== undefined) {
			return {
				kind: 'model',
				provider: 'openai-compatible',
				name,
				baseUrl,
				source: 'local',
				why: `${label} answers on ${new URL(baseUrl).host}`,
			};
		}
	}

	return {kind: 'none', why: 'the environment has no key of a provider, and this machine runs no model server'};
}
