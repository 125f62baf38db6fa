import {type ProviderName} from '../../agent/models/model-providers.ts';
import {type ProfileChange} from '../../config/edit/profile-change.ts';
import {Problem} from '../../util/problem.ts';
import {type CommandContext} from '../cli/command-context.ts';
import {type Dialog} from '../cli/dialog.ts';
import {checkModelKey, isModelProvider, keyVariable, setupProviders} from './model-key.ts';
import {type ConfigSession} from '../mcp/config-session.ts';

type Part = {readonly config: ConfigSession; readonly change: ProfileChange; readonly dialog: Dialog | undefined};

/** Names the model of agent runs, and checks its key with the provider. Flags answer before anybody is asked. */
export async function setUpModel(context: CommandContext, {config, change, dialog}: Part): Promise<void> {
	const {flags} = context;
	const provider = await askForProvider(context, dialog);
	if (provider === undefined) {
		return;
	}

	const name = flags.model ?? (await dialog?.ask('Model')) ?? '';
	const baseUrl =
		flags.baseUrl ?? (provider === 'openai-compatible' ? await dialog?.ask('Address of the provider') : undefined);
	if (name === '' || (provider === 'openai-compatible' && !baseUrl)) {
		throw new Problem('bad_usage', {message: 'A model needs --model, and one of openai-compatible needs --base-url'});
	}

	const variable = flags.apiKeyEnv ?? keyVariable(provider);
	const key = await askForKey(context, {provider, baseUrl, variable, known: config.variable(variable), dialog});
	if (key !== undefined && key !== config.variable(variable)) {
		change.setVariables({[variable]: key});
	}

	const model = {provider, name, ...(baseUrl !== undefined && {base_url: baseUrl}), api_key: `\${${variable}}`};
	for (const [member, value] of Object.entries(model)) {
		change.config.set(['model', member], value);
	}
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

		context.stderr('That is none of them.\n');
	}
}

type KeyQuestion = {
	readonly provider: ProviderName;
	readonly baseUrl: string | undefined;
	readonly variable: string;
	readonly known: string | undefined;
	readonly dialog: Dialog | undefined;
};

/** The key, checked; undefined: none, for now. Throws `server_unauthorized` for a key that is refused when nobody can give another one. */
async function askForKey(context: CommandContext, question: KeyQuestion): Promise<string | undefined> {
	const {provider, baseUrl, variable, known, dialog} = question;
	let key = known;
	for (;;) {
		key ??= (await dialog?.askSecret(`Key, kept in .env as ${variable} (not shown; Enter for none)`)) || undefined;
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
			const message = `The provider refused the key in ${variable} (${check.status})`;
			throw new Problem('server_unauthorized', {message});
		}

		context.stderr(`The provider refused that key (${check.status}).\n`);
		key = undefined;
	}
}

function warnMissingKey(context: CommandContext, variable: string, key: string | undefined): void {
	if (key === undefined) {
		context.stderr(`${variable} is not set yet; add it to .env.\n`);
	}
}
