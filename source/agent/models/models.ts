import {type ModelConfig} from '../../config/read/model-config.ts';
import {type Clock} from '../../util/clock.ts';
import {type ListModels, type LocalServer, localServers} from './local-models.ts';
import {type ChoiceScope, chooseModel, type FirstChoice, type ModelChoice} from './model-choice.ts';

/** Which models a profile's runs get. */
export type Models = {
	/** Chosen at the first question and kept until `forget`; without a model, for a minute. Rejects only with `too_many_open_files`, and is then asked anew. */
	readonly ofRuns: () => Promise<ModelChoice>;
	/** For pictures; without `vision_model` the one of the runs. Rejects as `ofRuns` does. */
	readonly ofVision: () => Promise<ModelChoice>;
	/** Whether there is a model for runs, as far as is known without asking anybody; a configured address is taken to have one. */
	readonly isKnown: () => boolean;
	/** The configuration has changed: choose again. */
	readonly forget: () => void;
};

export type ModelsOptions = {
	readonly clock: Clock;
	/** Read at every choice, so that it may be a live view of the configuration. */
	readonly config: () => {readonly model: ModelConfig; readonly visionModel?: ModelConfig};
	readonly scope: ChoiceScope;
	readonly listModels: ListModels;
	/** Told of every choice for runs. */
	readonly chosen: (choice: ModelChoice) => void;
	/** Default: the usual ones of this machine. */
	readonly servers?: readonly LocalServer[];
};

/** A model server may be started or mended at any time: that there is no model holds for a minute. */
const withoutMilliseconds = 60_000;

/** A choice and how long it holds, by the clock's `elapsed`. */
type CachedChoice = {until: number; made?: ModelChoice; readonly choice: Promise<ModelChoice>};

/** Opens the choice of models. Nothing is asked before the first question. */
export function createModels(options: ModelsOptions): Models {
	const {clock, config, chosen} = options;
	const choose = async (wanted: ModelConfig) => complete(chooseModel(wanted, options.scope), wanted, options);
	let kept: CachedChoice | undefined;

	const chooseForRuns = (): CachedChoice => {
		const fresh: CachedChoice = {
			until: Number.POSITIVE_INFINITY,
			choice: choose(config().model).then(report, forgetIt),
		};
		function forgetIt(caught: unknown): never {
			kept = kept === fresh ? undefined : kept;
			throw caught;
		}

		function report(choice: ModelChoice) {
			fresh.made = choice;
			fresh.until = choice.kind === 'model' ? fresh.until : clock.elapsed() + withoutMilliseconds;
			// What was forgotten meanwhile is news of yesterday.
			if (kept === fresh) {
				chosen(choice);
			}

			return choice;
		}

		return fresh;
	};

	const ofRuns = () => {
		if (!kept || kept.until <= clock.elapsed()) {
			kept = chooseForRuns();
		}

		return kept.choice;
	};

	return {
		ofRuns,
		ofVision() {
			const {visionModel} = config();
			return visionModel ? choose(visionModel) : ofRuns();
		},
		isKnown() {
			const {kind} = kept?.made ?? chooseModel(config().model, options.scope);
			return kind === 'model' || kind === 'ask-address';
		},
		forget() {
			kept = undefined;
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
				? {kind: 'broken', why: 'model.name is not set, and model.base_url does not say which models it has'}
				: {...model, name};
		}

		case 'ask-machine':
			return askMachine(wanted, {listModels, servers, expand: scope.expand});
	}
}

/** All are asked at once; the first of the list that has a model wins. */
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

	return {kind: 'none', why: 'no key in the environment and no model server on this machine'};
}
