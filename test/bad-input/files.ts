import {stateRoot, statePaths} from '../../source/config/read/state-paths.ts';
import {checkEnvLines} from '../../source/config/secrets/env-lines.ts';
import {type BadInput, inConfig} from './bad-input.ts';

/** Files of the state directory: their syntax, sections, words, numbers and switches. */
export const fileRows: readonly BadInput[] = [
	inConfig('a list that is not closed', 'mcp_servers: [\n', [
		'config_syntax: config.yaml:2:1: A ] is missing above, or a line inside the brackets is not indented',
	]),
	inConfig('a tab for indentation', 'mcp_servers:\n	files: {}\n', [
		'config_syntax: config.yaml:2:1: The line is indented with a tab. Use spaces',
	]),
	inConfig('a key twice', 'agent: {}\nagent: {}\n', [
		'config_syntax: config.yaml:2:1: The key "agent" is in this mapping twice. Remove one of them',
	]),
	inConfig('an unknown tag', 'agent: !secret x\n', [
		'warning config_syntax: config.yaml:1:8: The tag is not known. Put a text that begins with ! in quotes',
		'config_invalid: config.yaml:1:16: agent: Text is not allowed here. Allowed: a mapping with max_steps, model_timeout, max_concurrent_runs, max_queued_runs, max_waiting_runs, instructions, on_failure',
	]),
	inConfig('an alias without an anchor', 'agent: *shared\n', [
		'config_syntax: config.yaml:1:1: An alias cannot be resolved, or values are nested too deeply',
	]),
	inConfig('a list in place of the file', '- mcp_servers\n', [
		'config_invalid: config.yaml:1:1: A list is not allowed here. Allowed: a mapping with mcp_servers, platforms, model, vision_model, search, agent, limits, approvals, platform_toolsets, journal, metrics, gateway',
	]),
	inConfig('a text in place of the file', 'mcp_servers\n', [
		'config_invalid: config.yaml:1:1: Text is not allowed here. Allowed: a mapping with mcp_servers, platforms, model, vision_model, search, agent, limits, approvals, platform_toolsets, journal, metrics, gateway',
	]),
	inConfig('a section with a typing mistake', 'mcp_server: {}\n', [
		'warning config_unknown_key: config.yaml:1:1: mcp_server: "mcp_server" is not a known key; did you mean "mcp_servers"?',
	]),
	inConfig('a section nobody knows', 'zebra: 1\n', [
		'warning config_unknown_key: config.yaml:1:1: zebra: "zebra" is not a known key',
	]),
	inConfig('a section in the wrong place', 'webhook: {port: 1}\n', [
		'warning config_unknown_key: config.yaml:1:1: webhook: "webhook" is not a known key; did you mean "platforms.webhook"?',
	]),
	inConfig('a number for a section', 'agent: 5\n', [
		'config_invalid: config.yaml:1:8: agent: A number is not allowed here. Allowed: a mapping with max_steps, model_timeout, max_concurrent_runs, max_queued_runs, max_waiting_runs, instructions, on_failure',
	]),
	inConfig('a word for a number', 'agent: {max_concurrent_runs: many}\n', [
		'warning config_invalid: config.yaml:1:30: agent.max_concurrent_runs: "many" is not allowed here. Allowed: a whole number, 1 or more. Using 4',
	]),
	inConfig('a negative number', 'agent: {max_steps: -1}\n', [
		'warning config_invalid: config.yaml:1:20: agent.max_steps: -1 is not allowed here. Allowed: a whole number, 1 or more. Using 30',
	]),
	inConfig('a number that is too large', 'gateway: {endpoint: {port: 70000}}\n', [
		'warning config_invalid: config.yaml:1:28: gateway.endpoint.port: 70000 is not allowed here. Allowed: a whole number from 0 to 65535. Using 8645',
	]),
	inConfig('a word for a switch', 'metrics: {enabled: perhaps}\n', [
		'warning config_invalid: config.yaml:1:20: metrics.enabled: "perhaps" is not allowed here. Allowed: true or false. Using false',
	]),
	inConfig('a number for a text', 'journal: {url: 5}\n', [
		'config_invalid: config.yaml:1:16: journal.url: A number is not allowed here. Allowed: postgres://…',
	]),
	inConfig('a provider with a typing mistake', 'model: {provider: opneai}\n', [
		'config_invalid: config.yaml:1:19: model.provider: "opneai" is not a known provider; did you mean "openai"? Allowed: auto, anthropic, openai, google, openrouter, openai-compatible, none',
	]),
	inConfig('a provider that does not exist', 'model: {provider: acme}\n', [
		'config_invalid: config.yaml:1:19: model.provider: "acme" is not a known provider. Allowed: auto, anthropic, openai, google, openrouter, openai-compatible, none',
	]),
	inConfig('a list for a provider', 'model: {provider: [openai]}\n', [
		'config_invalid: config.yaml:1:19: model.provider: A list is not allowed here. Allowed: auto, anthropic, openai, google, openrouter, openai-compatible, none',
	]),
	inConfig('a search service with a typing mistake', 'search: {provider: tavly}\n', [
		'warning config_invalid: config.yaml:1:20: search.provider: "tavly" is not a known search service; did you mean "tavily"? Allowed: searxng, brave, tavily, exa, serper, duckduckgo. The service is chosen by its key',
	]),
	inConfig('a choice that does not exist', 'approvals: {unattended: ask}\n', [
		'config_invalid: config.yaml:1:25: approvals.unattended: "ask" is not a known value. Allowed: deny, hold',
	]),
	inConfig('an approval key with a typing mistake', 'approvals: {rulez: []}\n', [
		'config_unknown_key: config.yaml:1:13: approvals.rulez: "rulez" is not a known key; did you mean "rules"?',
	]),
	inConfig('a word for a time', 'approvals: {timeout: soon}\n', [
		'config_invalid: config.yaml:1:22: approvals.timeout: Text is not allowed here. Allowed: a number of seconds, 0 or more',
	]),
	inConfig('a switch for the rights of commands', 'approvals: {cli: no}\n', [
		'config_invalid: config.yaml:1:18: approvals.cli: "no" is not a known value. Allowed: allow, deny',
	]),
	{
		input: 'a line of .env without a value',
		give: () => checkEnvLines('.env', 'GITHUB_TOKEN\n'),
		says: [
			'warning config_invalid: .env:1:1: The line is ignored. Allowed: NAME=value, or a comment that begins with #',
		],
	},
	{
		input: 'a quote of .env that is never closed',
		give: () => checkEnvLines('.env', 'A="open\n'),
		says: ['warning config_invalid: .env:1:1: The quote is never closed. Add " at the end of the value'],
	},
	{
		input: 'text after a quoted value of .env',
		give: () => checkEnvLines('.env', 'A="one" two\n'),
		says: [
			'warning config_invalid: .env:1:1: The text after the quoted value is ignored. Allowed: a comment that begins with #',
		],
	},
	{
		input: 'no home directory',
		give: () => stateRoot({home: '', sluiceHome: undefined}),
		says: [
			'bad_usage: There is no state directory: HOME is empty, and SLUICE_HOME is not set → Set HOME or SLUICE_HOME to an absolute path, or pass the directory: `sluice --home DIR`',
		],
	},
	{
		input: 'a relative home directory',
		give: () => stateRoot({home: 'me', sluiceHome: undefined}),
		says: [
			'bad_usage: There is no state directory: HOME is a relative path, and SLUICE_HOME is not set → Set HOME or SLUICE_HOME to an absolute path, or pass the directory: `sluice --home DIR`',
		],
	},
	{
		input: 'a name that no profile can have',
		give: () => statePaths({root: '/state', profile: '../other'}),
		says: ['bad_usage: A profile name has 1 to 64 letters, digits, hyphens and underscores'],
	},
];
