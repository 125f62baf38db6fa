import {mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {
	environment,
	healthy,
	healthyRoute,
	healthyWebhook,
	put,
	route,
	withRoute,
	withWebhook,
	type SetUp,
} from './set-up.ts';

/** Set-ups with a route that is not served, or whose runs miss something. */
export const routeSetUps: readonly SetUp[] = [
	{
		broken: 'a secret that is no base64 after whsec_',
		config: withRoute({secret: 'whsec_!!'}),
		found: route({
			level: 'error',
			message: 'not base64 after whsec_',
			remedy: 'Set `platforms.webhook.routes.pulls.secret` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'a paused route',
		config: withRoute({enabled: false}),
		found: route({
			level: 'warning',
			message: 'It is paused',
			remedy: 'Set `platforms.webhook.routes.pulls.enabled` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'routes with webhooks switched off',
		config: withWebhook({enabled: false}),
		found: [
			{
				check: 'webhooks',
				level: 'warning',
				message: 'the route is not served',
				remedy: 'Set `platforms.webhook.enabled` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a route to a chat that nobody named',
		config: {...healthy, platforms: {webhook: healthyWebhook}},
		found: route({level: 'error', message: 'Its answers cannot be delivered', remedy: 'deliver_extra'}),
	},
	{
		broken: 'a misspelt target',
		config: withRoute({deliver: 'telegrm'}),
		found: route({
			level: 'error',
			message: '"telegrm" is not a known delivery target; did you mean "telegram"? Allowed: log',
			remedy: 'Set `platforms.webhook.routes.pulls.deliver` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'a regular expression that is refused',
		config: withRoute({filters: [{field: 'a', regex: '(?=x)'}]}),
		found: route({
			level: 'error',
			message: 'The pattern "(?=x)" is not allowed',
			remedy: 'Rewrite the `regex` in `platforms.webhook.routes.pulls.filters` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'a route without any secret',
		config: withWebhook({secret: undefined}),
		env: environment.replace(/^WEBHOOK.*\n/mu, ''),
		found: route({
			level: 'error',
			message: 'No secret is set',
			remedy: 'Set `platforms.webhook.routes.pulls.secret` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'no signatures on a public host',
		config: withWebhook({host: '0.0.0.0', secret: 'INSECURE_NO_AUTH'}),
		found: route({
			level: 'error',
			message: 'INSECURE_NO_AUTH is not allowed on host 0.0.0.0',
			remedy: 'openssl rand -hex 32',
		}),
	},
	{
		broken: 'two routes, one refused and one with a refused pattern',
		config: withWebhook({
			routes: {pulls: {...healthyRoute, secret: ''}, pushes: {filters: [{field: 'a', regex: '(?=x)'}]}},
		}),
		found: [
			{check: 'route pulls', level: 'error', message: 'No secret is set', remedy: 'routes.pulls.secret'},
			{
				check: 'route pushes',
				level: 'error',
				message: 'The pattern "(?=x)" is not allowed',
				remedy: 'routes.pushes.filters',
			},
			{check: 'route pushes', level: 'error', message: 'while these routes are refused: pulls', remedy: 'route pulls'},
		],
	},
	{
		broken: 'a route of a profile that nobody serves',
		config: withRoute({profile: 'work'}),
		found: route({
			level: 'error',
			message: 'no gateway serves its profile work',
			remedy: 'Set `gateway.multiplex_profiles` (HOME/config.yaml',
		}),
	},
	{
		broken: 'a filter whose list is missing',
		config: withRoute({filters: [{all: [{field: 'a', in_file: 'lists/users.txt'}]}]}),
		found: route({
			level: 'error',
			message: 'the list lists/users.txt, which cannot be read',
			remedy: 'Write HOME/lists/users.txt with one value in each line',
		}),
	},
	{
		broken: 'a filter that matches nothing',
		config: withRoute({filters: [{field: 'a', equal: 1}]}),
		found: route({
			level: 'warning',
			message: 'A filter cannot be read and matches no event',
			remedy: 'Correct `platforms.webhook.routes.pulls.filters` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'a toolset that nobody knows',
		config: withRoute({toolsets: ['web_serch']}),
		found: route({
			level: 'warning',
			message: '"web_serch"',
			remedy: 'Correct `platforms.webhook.routes.pulls.toolsets` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'an unknown toolset for all webhooks',
		config: {...healthy, platform_toolsets: {webhook: ['web_search', 'terminal']}},
		found: [
			{
				check: 'toolsets',
				level: 'warning',
				message: '"terminal"',
				remedy: 'Correct `platform_toolsets.webhook` (HOME/config.yaml, line ',
			},
		],
	},
	{
		broken: 'a brace that is never closed',
		config: withRoute({prompt: 'Review {pull_request.title by {user.login}'}),
		found: route({
			level: 'warning',
			message: '{pull_request.title without a closing brace',
			remedy: 'Write {pull_request.title} in `platforms.webhook.routes.pulls.prompt` (HOME/config.yaml, line ',
		}),
	},
	{
		broken: 'a brace that is never closed in deliver_extra',
		config: withRoute({deliver_extra: {chat_id: '{chat.id'}}),
		found: route({level: 'warning', message: '{chat.id without', remedy: 'routes.pulls.deliver_extra'}),
	},
	{
		broken: 'a script that is missing',
		config: withRoute({script: 'sift.py'}),
		found: route({
			level: 'error',
			message: 'There is no script sift.py',
			remedy: 'Put it at HOME/scripts/sift.py, or correct `platforms.webhook.routes.pulls.script`',
		}),
	},
	{
		broken: 'a script outside of scripts/',
		config: withRoute({script: 'sift.sh'}),
		prepare(home) {
			put(home, 'sift.sh', 'cat');
			mkdirSync(join(home, 'scripts'), {mode: 0o700});
			symlinkSync(join(home, 'sift.sh'), join(home, 'scripts', 'sift.sh'));
		},
		found: route({level: 'error', message: 'There is no script sift.sh', remedy: 'Put it at HOME/scripts/sift.sh'}),
	},
	{
		broken: 'a script that no program runs',
		config: withRoute({script: 'sift.py'}),
		env: `${environment}SLUICE_PYTHON=/no/such/python\n`,
		prepare: home => put(home, 'scripts/sift.py', 'pass'),
		found: route({
			level: 'error',
			message: 'the program /no/such/python was not found',
			remedy: 'SLUICE_PYTHON=… with the path of a Python to HOME/.env',
		}),
	},
	{
		broken: 'a skill that nobody wrote',
		config: withRoute({skills: ['mowing']}),
		found: route({
			level: 'warning',
			message: '"mowing" is not loaded',
			remedy:
				'Write the skill into HOME/skills/mowing/SKILL.md, or remove it from `platforms.webhook.routes.pulls.skills`',
		}),
	},
];
