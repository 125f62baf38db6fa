import {garden} from '../../stories/garden.ts';
import {environment, healthy, withServer, type SetUp} from './set-up.ts';

/** Set-ups with a model, platform, server or key of config.yaml that cannot be used. */
export const configSetUps: readonly SetUp[] = [
	{
		broken: 'a model without its key',
		env: environment.replace(/^OPENAI.*\n/u, ''),
		found: [
			{
				check: 'model',
				level: 'error',
				message: 'No model can be used: openai needs a key',
				remedy: 'Add the line OPENAI_API_KEY=… to HOME/.env, or set `model.api_key` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a model at no address',
		config: {...healthy, model: {provider: 'openai-compatible', name: 'x'}},
		found: [{check: 'model', level: 'error', message: 'needs `model.base_url`', remedy: 'Set `model.base_url` (HOME/'}],
	},
	{
		broken: 'a key of no provider',
		config: {...healthy, model: {api_key: 'sk-nobody'}},
		found: [{check: 'model', level: 'error', message: '`model.api_key` is set', remedy: 'Set `model.provider` (HOME/'}],
	},
	{
		broken: 'an unknown provider',
		config: {...healthy, model: {provider: 'opneai'}},
		found: [
			{
				check: 'config',
				level: 'error',
				message: '"opneai" is not a known provider; did you mean "openai"? Allowed: auto',
				remedy: 'Correct `model.provider` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a platform without its token, with a route to it',
		env: environment.replace(/^TELEGRAM.*\n/mu, ''),
		found: [
			{
				check: 'platform telegram',
				level: 'warning',
				message: 'platforms.telegram.token is missing',
				remedy: 'Set `platforms.telegram.token` (HOME/config.yaml, line ',
			},
			{
				check: 'route pulls',
				level: 'error',
				message: 'Its answers cannot be delivered: platforms.telegram.token is missing',
				remedy: 'Set `platforms.telegram.token` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a platform that is switched off, with a route to it',
		config: {...healthy, platforms: {...healthy.platforms, telegram: {enabled: false, home_channel: '1'}}},
		found: [
			{
				check: 'platform telegram',
				level: 'warning',
				message: 'switched off',
				remedy: 'Set `platforms.telegram.enabled` (HOME/config.yaml, line ',
			},
			{
				check: 'route pulls',
				level: 'error',
				message: 'switched off',
				remedy: '`platforms.telegram.enabled` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a server with the name of the built-in tools',
		config: {...healthy, mcp_servers: {...healthy.mcp_servers, sluice: garden}},
		found: [
			{
				check: 'server sluice',
				level: 'error',
				message: 'The name "sluice" belongs to the built-in tools',
				remedy: 'Rename the server: `mcp_servers.sluice` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a program that is not installed',
		config: withServer({command: 'no-such-program'}),
		found: [
			{
				check: 'server garden',
				level: 'error',
				message: 'The command no-such-program was not found',
				remedy: 'set `mcp_servers.garden.command` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a command with its arguments in it',
		config: withServer({command: 'sh -c true'}),
		found: [
			{
				check: 'server garden',
				level: 'warning',
				message: 'The command has spaces, but must be the program alone',
				remedy: 'Correct `mcp_servers.garden.command` (HOME/config.yaml, line ',
			},
			{
				check: 'server garden',
				level: 'error',
				message: '`command` has blanks: the program sh exists, but no program has the whole text as its name',
				remedy: '`mcp_servers.garden.command` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a server without command or url',
		config: {...healthy, mcp_servers: {garden, empty: {}}},
		found: [
			{
				check: 'server empty',
				level: 'error',
				message: 'The server has neither `command` nor `url`',
				remedy: 'Correct `mcp_servers.empty` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a variable that is not set',
		config: withServer({env: {A: '${NOWHERE_SET}'}}),
		found: [
			{
				check: 'server garden',
				level: 'warning',
				message: '${NOWHERE_SET}, which is not set',
				remedy: 'Add the line NOWHERE_SET=… to HOME/.env',
			},
		],
	},
	{
		broken: 'an unknown key',
		config: {...healthy, aprovals: {}},
		found: [
			{
				check: 'config',
				level: 'warning',
				message: 'did you mean "approvals"?',
				remedy: 'Rename or remove `aprovals` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'the webhook receiver at the top level',
		config: {...healthy, webhook: {enabled: true}},
		found: [
			{
				check: 'config',
				level: 'warning',
				message: '"webhook" is not a known key; did you mean "platforms.webhook"?',
				remedy: 'Rename or remove `webhook` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a search service without its key',
		config: {...healthy, search: {provider: 'brave'}},
		found: [
			{
				check: 'search',
				level: 'warning',
				message: 'The search service brave needs a key. Set `search.api_key`',
				remedy: 'or add the line BRAVE_API_KEY=… to HOME/.env',
			},
		],
	},
	{
		broken: 'a token of the endpoint that is not set',
		config: {...healthy, gateway: {endpoint: {port: 0, token: '${NOWHERE_SET}'}}},
		found: [
			{
				check: 'endpoint',
				level: 'warning',
				message: '`gateway.endpoint.token` names a variable that is not set',
				remedy: 'Set the variable in HOME/.env, or correct `gateway.endpoint.token` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a server whose folder is missing',
		config: withServer({cwd: '/no/such/folder'}),
		found: [
			{
				check: 'server garden',
				level: 'error',
				message: 'cwd: the folder /no/such/folder does not exist',
				remedy: 'Correct `mcp_servers.garden.cwd` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a server whose file of variables is a symbolic link',
		config: withServer({env_file: '/proc/self/cwd'}),
		found: [
			{
				check: 'server garden',
				level: 'error',
				message: 'env_file: /proc/self/cwd is a symbolic link',
				remedy: 'Correct `mcp_servers.garden.env_file` (HOME/config.yaml, line ',
			},
		],
	},
];
