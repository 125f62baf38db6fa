import {searchServicesByName} from '../../agent/built-ins/search-services.ts';
import {chooseService} from '../../agent/built-ins/web-search.ts';
import {createListModels} from '../../agent/models/local-models.ts';
import {type FirstChoice, type ModelChoice, chooseModel} from '../../agent/models/model-choice.ts';
import {modelProviders} from '../../agent/models/model-providers.ts';
import {type ModelConfig} from '../../config/read/model-config.ts';
import {isUnresolved} from '../../config/secrets/variables.ts';
import {networkReason} from '../../net/network-failure.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {toProblem} from '../../util/problem.ts';
import {type CheckedProfile} from './checked-profile.ts';
import {type Finding, fine, trouble} from './finding.ts';
import {setVariable} from './remedy.ts';

type CheckOptions = {
	/** `files`: nothing is asked for. */
	readonly reach: 'network' | 'files';
	readonly clock: Clock;
};

/** The models of a profile's runs and their search service: whether there is one, and what its configuration lacks. No prompt is sent. */
export async function checkModels(profile: CheckedProfile, options: CheckOptions): Promise<readonly Finding[]> {
	const {model, visionModel} = profile.loaded.config;
	return [
		await modelFinding(profile, {key: 'model', config: model}, options),
		...(visionModel ? [await modelFinding(profile, {key: 'vision_model', config: visionModel}, options)] : []),
		...searchFindings(profile),
	];
}

type CheckedModel = {readonly key: 'model' | 'vision_model'; readonly config: ModelConfig};

async function modelFinding(profile: CheckedProfile, model: CheckedModel, options: CheckOptions): Promise<Finding> {
	const check = profile.checkName(model.key === 'model' ? 'model' : 'vision model');
	const choice = chooseModel(model.config, profile.scope);
	switch (choice.kind) {
		case 'model': {
			const ok = fine(check, `${choice.provider}/${choice.name}: ${choice.why}`);
			const asked =
				options.reach === 'network' && (await addressTrouble(profile, choice, {check, model, clock: options.clock}));
			return asked || ok;
		}

		case 'none':
			return fine(check, `No model is set: ${choice.why}`);
		case 'ask-machine':
			return fine(check, 'No model is configured; a model server on this machine is used while it runs');
		case 'ask-address':
			return options.reach === 'network'
				? addressFinding(profile, choice, {...options, check, key: model.key})
				: fine(check, `The first model of ${choice.model.provider} at \`${model.key}.base_url\``);
		case 'broken':
			return trouble(check, 'error', {
				message: `No model can be used: ${choice.why}`,
				remedy: remedyOf(profile, model, choice),
			});
	}
}

/**
An address that does not answer, or that lists other models alone. A server need not list any. That of a provider, which nobody has configured, is only a
warning: this machine may have no network at the moment.
*/
async function addressTrouble(
	{keyPlace, command}: CheckedProfile,
	{name, baseUrl, apiKey}: Extract<ModelChoice, {kind: 'model'}>,
	{check, model, clock}: {readonly check: string; readonly model: CheckedModel; readonly clock: Clock},
): Promise<Finding | undefined> {
	const {key, config} = model;
	const isOwn = config.baseUrl !== undefined;
	const address = isOwn ? `\`${key}.base_url\`` : baseUrl;
	const silence = await silenceOf(`${baseUrl}/models`, clock);
	if (silence !== undefined) {
		return trouble(check, isOwn ? 'error' : 'warning', {
			message: `${address} does not answer: ${silence}`,
			remedy: isOwn
				? `Start the server at ${address}, or correct ${keyPlace(key, 'base_url')}`
				: `Check the network of this machine; ${command('doctor', '--offline')} skips this check`,
		});
	}

	const names = await createListModels(clock)(`${baseUrl}/models`, {apiKey, place: 'configured'});
	if (!names || names.length === 0 || names.some(listed => isSameModel(listed, name))) {
		return undefined;
	}

	return trouble(check, 'warning', {
		message: `${address} lists no model ${name}`,
		remedy: `Set ${keyPlace(key, 'name')} to a model that it lists: ${names.slice(0, maxNames).join(', ')}`,
	});
}

/** A list may have a tag that was not written (`qwen3:latest`), or lack one that was (`openai/gpt-5:nitro`). */
function isSameModel(listed: string, name: string): boolean {
	return listed === name || listed === `${name}:latest` || name.startsWith(`${listed}:`);
}

const maxNames = 5;
const patienceMilliseconds = 5000;

/** The reason that an address does not answer, in plain words; undefined for any answer. Sends no secrets. */
async function silenceOf(address: string, clock: Clock): Promise<string | undefined> {
	const reason = () => new Error('it did not answer in time');
	const deadline = openDeadline(clock, patienceMilliseconds, {reason});
	try {
		const answer = await untilAborted(fetch(address, {signal: deadline.signal, redirect: 'manual'}), deadline.signal);
		await answer.body?.cancel();
		return undefined;
	} catch (error) {
		return deadline.signal.aborted ? reason().message : (networkReason(error) ?? 'it cannot be reached');
	} finally {
		deadline.cancel();
	}
}

/** A server without `name` lists its models; its answer is bounded in time and size. */
async function addressFinding(
	{keyPlace}: CheckedProfile,
	{model: {provider, baseUrl, apiKey}}: Extract<FirstChoice, {kind: 'ask-address'}>,
	{check, key, clock}: {readonly check: string; readonly key: CheckedModel['key']; readonly clock: Clock},
): Promise<Finding> {
	const names = await createListModels(clock)(`${baseUrl}/models`, {apiKey, place: 'configured'});
	return names?.[0] === undefined
		? trouble(check, 'error', {
				message: `\`${key}.base_url\` does not answer with a list of models, and \`${key}.name\` is not set`,
				remedy: `Start the server at \`${key}.base_url\`, or correct ${keyPlace(key, 'base_url')} and set \`${key}.name\``,
			})
		: fine(check, `${provider}/${names[0]}: the first model that \`${key}.base_url\` lists`);
}

/** The search service, if one is configured. */
function searchFindings(profile: CheckedProfile): readonly Finding[] {
	const {loaded, scope, checkName, keyPlace} = profile;
	const {search} = loaded.config;
	if (search.provider === undefined && search.url === undefined && search.apiKey === undefined) {
		return [];
	}

	const check = checkName('search');
	const keyVariable = search.provider && searchServicesByName[search.provider].keyVariable;
	const inEnv = keyVariable === undefined ? '' : `, or add the line ${keyVariable}=… to ${profile.paths.env}`;
	try {
		const {service, key} = chooseService(search, scope);
		const message = '`search.api_key` names a variable that is not set';
		const remedy = `Set the variable in ${profile.paths.env}, or correct ${keyPlace('search', 'api_key')}`;
		return isUnresolved(key) ? [trouble(check, 'warning', {message, remedy})] : [fine(check, service.name)];
	} catch (error) {
		const {message} = toProblem(error);
		const missing = keyVariable === undefined ? 'url' : 'api_key';
		return [trouble(check, 'warning', {message, remedy: `Set ${keyPlace('search', missing)}${inEnv}`})];
	}
}

/** The remedy for a configuration without a model: the facts of `chooseModel`, reversed. */
function remedyOf(
	profile: CheckedProfile,
	{key, config}: CheckedModel,
	choice: Extract<ModelChoice, {kind: 'broken'}>,
): string {
	const {keyPlace, scope} = profile;
	const {provider, baseUrl, apiKey} = config;
	if (provider === 'none') {
		return `Remove ${keyPlace(key)}: ${choice.why}`;
	}

	if (provider === 'auto' && baseUrl === undefined && apiKey !== undefined) {
		return `Set ${keyPlace(key, 'provider')} to the provider of the key: ${Object.keys(modelProviders).join(', ')}`;
	}

	const needsUrl = baseUrl === undefined && provider !== 'auto' && modelProviders[provider].baseUrl === undefined;
	const isUrl = baseUrl === undefined || /^https?:$/u.test(URL.parse(scope.expand(baseUrl))?.protocol ?? '');
	if (needsUrl || !isUrl) {
		return `Set ${keyPlace(key, 'base_url')} to the http:// or https:// address of the provider`;
	}

	const [variable] = provider === 'auto' ? [] : modelProviders[provider].keyVariables;
	const inFile = `set ${keyPlace(key, 'api_key')} to the key`;
	return variable === undefined ? inFile : `${setVariable(profile, variable)}, or ${inFile}`;
}
