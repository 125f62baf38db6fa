import {type JsonObject} from '../../source/util/json-text.ts';
import {type ProgramName} from '../../source/config/programs/program-names.ts';

/** A published agent program, run without a terminal against a provider on this machine. */
export type RealProgram = {
	readonly name: ProgramName;
	/** The package on npm. */
	readonly package: string;
	readonly command: string;
	/** Files below the home folder that name the provider, written before Sluice is connected. */
	readonly files: (provider: string) => Readonly<Record<string, string>>;
	/** Its environment besides PATH and HOME. */
	readonly environment: (provider: string) => Readonly<Record<string, string>>;
	readonly words: (prompt: string) => readonly string[];
	/** Takes the time limit out of the entry that `sluice connect` has written. */
	readonly timeoutKey: RegExp;
	readonly settings: string;
};

const json = (value: JsonObject) => JSON.stringify(value, null, 2);

/** The programs that npm has and that `sluice connect` knows, with the documents that describe how they run without a terminal. */
export const realPrograms: readonly RealProgram[] = [
	// https://code.claude.com/docs/en/headless
	{
		name: 'claude-code',
		package: '@anthropic-ai/claude-code',
		command: 'claude',
		files: () => ({}),
		environment: provider => ({
			ANTHROPIC_BASE_URL: provider,
			ANTHROPIC_API_KEY: 'none',
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
			DISABLE_AUTOUPDATER: '1',
			// It waits for its servers, which it otherwise does for two seconds.
			MCP_CONNECTION_NONBLOCKING: '0',
		}),
		words: prompt => ['-p', prompt],
		timeoutKey: /,?\s*"timeout": \d+/u,
		settings: '.claude.json',
	},
	// https://developers.openai.com/codex/noninteractive
	{
		name: 'codex',
		package: '@openai/codex',
		command: 'codex',
		files: provider => ({
			'.codex/config.toml': `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "Scripted"
base_url = "${provider}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`,
		}),
		environment: () => ({SCRIPTED_KEY: 'none'}),
		words: prompt => ['exec', '--skip-git-repo-check', prompt],
		timeoutKey: /tool_timeout_sec = .*\n/u,
		settings: '.codex/config.toml',
	},
	// https://geminicli.com/docs/cli/headless
	{
		name: 'gemini',
		package: '@google/gemini-cli',
		command: 'gemini',
		files: () => ({
			'.gemini/settings.json': json({
				security: {auth: {selectedType: 'gemini-api-key'}, folderTrust: {enabled: false}},
				privacy: {usageStatisticsEnabled: false},
				general: {disableAutoUpdate: true},
			}),
		}),
		environment: provider => ({GOOGLE_GEMINI_BASE_URL: provider, GEMINI_API_KEY: 'none'}),
		words: prompt => ['--model', 'gemini-2.5-flash', '-p', prompt],
		timeoutKey: /,?\s*"timeout": \d+/u,
		settings: '.gemini/settings.json',
	},
	// https://opencode.ai/docs/cli/#run-1
	{
		name: 'opencode',
		package: 'opencode-ai',
		command: 'opencode',
		files: provider => ({
			'.config/opencode/opencode.json': json({
				$schema: 'https://opencode.ai/config.json',
				model: 'scripted/scripted',
				autoupdate: false,
				provider: {
					scripted: {
						npm: '@ai-sdk/openai-compatible',
						name: 'Scripted',
						options: {baseURL: `${provider}/v1`, apiKey: 'none'},
						models: {scripted: {name: 'Scripted'}},
					},
				},
			}),
		}),
		environment: () => ({OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1'}),
		words: prompt => ['run', '--model', 'scripted/scripted', prompt],
		timeoutKey: /,?\s*"timeout": \d+/u,
		settings: '.config/opencode/opencode.json',
	},
];
