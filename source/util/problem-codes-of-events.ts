import {type ProblemText} from './problem-codes-of-tools.ts';

/** Webhooks, runs, jobs, deliveries and the journal. A part of the error table. */
export const eventCodes = {
	route_without_secret: {
		meaning: 'A route has no secret',
		remedy: 'Set `secret` of the route, or `platforms.webhook.secret`; `openssl rand -hex 32` makes one',
	},
	webhooks_off: {
		meaning: 'Webhooks are off',
		remedy: 'Run `sluice gateway setup`, or set `platforms.webhook.enabled: true` in config.yaml',
	},
	insecure_public_bind: {
		meaning: 'INSECURE_NO_AUTH is only allowed on a loopback host',
		remedy: 'Set `platforms.webhook.host: 127.0.0.1`, or set a secret; `openssl rand -hex 32` makes one',
	},
	deliver_only_without_target: {
		meaning: 'deliver_only needs a real delivery target',
		remedy: 'Set `deliver` of the route to something other than log',
	},
	deliver_only_with_cron: {
		meaning: 'A route cannot have both cron_job and deliver_only',
		remedy: 'Remove `cron_job` or `deliver_only` from the route',
	},
	coalesce_conflict: {
		meaning: 'coalesce cannot be combined with deliver_only or cron_job',
		remedy: 'Remove `coalesce` from the route, or `deliver_only` and `cron_job`',
	},
	skill_unusable: {
		meaning: 'A skill cannot be loaded',
		remedy: 'Correct `skills/<name>/SKILL.md`; `sluice skills list` shows the skills that load',
	},
	unknown_toolset: {
		meaning: 'No toolset or tool server has this name',
		remedy: 'Use web_search, web_extract, vision_analyze, clarify, or mcp- and a name from `sluice mcp list`',
	},
	model_unusable: {
		meaning: 'The model configuration cannot be used',
		remedy: 'Run `sluice gateway setup`, which asks for a model, or correct `model` in config.yaml',
	},
	model_unauthorized: {
		meaning: 'The provider rejected the API key',
		remedy: 'Correct `model.api_key`, or the environment variable with the key',
	},
	unknown_model: {meaning: 'The provider does not know the model', remedy: 'Correct `model.name`'},
	model_rate_limited: {
		meaning: 'The provider is limiting requests',
		remedy: 'Wait, or check the limits of your account',
	},
	model_unreachable: {
		meaning: 'The provider could not be reached',
		remedy: 'Correct `model.base_url`, or check the network',
	},
	model_failed: {
		meaning: 'The model gave no usable answer',
		remedy: 'Read the answer of the provider at the end of logs/sluice.log',
	},
	run_stuck: {
		meaning: 'The run ended without an answer',
		remedy: 'Check its steps; raise `agent.max_steps` if it needs more',
	},
	unknown_run: {
		meaning: 'No such run is open',
		remedy: '`sluice runs list` shows the runs and their states; one that has ended needs nothing',
	},
	run_elsewhere: {
		meaning: 'The run is under way at another gateway of the journal',
		remedy: 'Cancel it there, with `sluice runs cancel ID`; `sluice runs show ID` names the gateway',
	},
	unknown_event: {meaning: 'No event with this id is stored', remedy: 'Run `sluice events list` for the ids'},
	not_replayable: {
		meaning: 'The event cannot be replayed',
		remedy: 'Run `sluice doctor`; for an event without a stored body, have its sender deliver it again',
	},
	unknown_route: {meaning: 'No route with this name exists', remedy: 'Run `sluice webhook list` for the names'},
	route_shadowed: {
		meaning: 'A route in config.yaml has the same name as a subscription',
		remedy: 'Remove the subscription with `sluice webhook remove NAME`, or choose another name',
	},
	unknown_job: {
		meaning: 'No cron job matches, or more than one does',
		remedy: 'Run `sluice cron list` for the names and ids',
	},
	cron_invalid: {
		meaning: 'The cron job is not valid',
		remedy: 'Use what is allowed; `sluice cron create --help` has examples',
	},
	unknown_target: {meaning: 'Unknown delivery target', remedy: 'Set `deliver` to one of the targets that are listed'},
	pattern_refused: {
		meaning: 'The regular expression cannot run in linear time',
		remedy: 'Rewrite `regex` without lookaround and backreferences',
	},
	port_in_use: {meaning: 'The port is already in use', remedy: 'Set `port` to another one, or stop the other program'},
	listen_failed: {
		meaning: 'Cannot listen on the address',
		remedy: 'Set `host` to an address of this machine, such as 127.0.0.1, and `port` to 1024 or more',
	},

	platform_unusable: {
		meaning: 'The delivery platform is disabled, or a setting is missing',
		remedy: 'Set what is named, under `platforms` in config.yaml or in `.env`',
	},
	delivery_failed: {
		meaning: 'Delivery failed',
		remedy:
			'Read the answer of the platform at the end of logs/sluice.log, then run `sluice events replay ID --deliver`',
	},
	too_many_open_files: {
		meaning: 'Too many open files and connections',
		remedy: 'Raise the limit of open files (`ulimit -n`); accepted events and answers are retried',
	},
	storage_unavailable: {
		meaning: 'The journal cannot be read or written',
		remedy:
			'Free disk space and make journal.db writable; run `sluice doctor`, which says whether it is damaged and how to move it away',
	},
	schema_newer: {
		meaning: 'The journal was written by a newer version of Sluice',
		remedy: 'Install that version of Sluice, or a newer one; `sluice --version` says which one this is',
	},
	journal_not_moved: {
		meaning: 'The journal was not moved: its file is as it was, and the database has nothing of it',
		remedy: 'Mend what is named, then run `sluice journal move` again',
	},
} as const satisfies Readonly<Record<string, ProblemText>>;
