import {type ProblemText} from './problem-codes-of-tools.ts';

/** Webhooks, runs, jobs, deliveries and the journal. A part of the error table. */
export const eventCodes = {
	route_without_secret: {
		meaning: 'A route has no secret',
		remedy: 'Set `secret` of the route, or `platforms.webhook.secret`; `openssl rand -hex 32` generates one',
	},
	route_without_address: {
		meaning: 'The address that the sender of a route signs is not set',
		remedy: 'Set `url` of `signature` to the address that is entered at the sender',
	},
	webhooks_off: {
		meaning: 'Webhooks are off',
		remedy: 'Run `sluice gateway setup`, or set `platforms.webhook.enabled: true` in config.yaml',
	},
	insecure_public_bind: {
		meaning: 'INSECURE_NO_AUTH is only allowed on a loopback host',
		remedy: 'Set `platforms.webhook.host: 127.0.0.1`, or set a secret; `openssl rand -hex 32` generates one',
	},
	deliver_only_without_target: {
		meaning: 'deliver_only needs a real delivery target',
		remedy: 'Set `deliver` of the route to a target other than log',
	},
	deliver_list_invalid: {
		meaning: 'A list of delivery targets is empty or has an entry twice',
		remedy: 'Name at least one target in `deliver` of the route, and each entry once',
	},
	deliver_only_with_cron: {
		meaning: 'A route cannot have both cron_job and deliver_only',
		remedy: 'Remove `cron_job` or `deliver_only` from the route',
	},
	coalesce_conflict: {
		meaning: 'coalesce cannot be combined with deliver_only or cron_job',
		remedy: 'Remove `coalesce` from the route, or `deliver_only` and `cron_job`',
	},
	respond_conflict: {
		meaning: 'respond cannot be combined with cron_job or coalesce',
		remedy: 'Remove `respond` from the route, or `cron_job` and `coalesce`',
	},
	skill_unusable: {
		meaning: 'A skill cannot be loaded',
		remedy: 'Correct `skills/<name>/SKILL.md`, then run `sluice skills list` to check it',
	},
	unknown_toolset: {
		meaning: 'No toolset or tool server has this name',
		remedy: 'Use web_search, web_extract, vision_analyze, clarify, or `mcp-` followed by a name from `sluice mcp list`',
	},
	model_unusable: {
		meaning: 'The model configuration cannot be used',
		remedy: 'Run `sluice gateway setup` to choose a model, or correct `model` in config.yaml',
	},
	model_unauthorized: {
		meaning: 'The provider rejected the API key',
		remedy: 'Correct `model.api_key`, or the variable that holds the key',
	},
	unknown_model: {meaning: 'The provider does not know the model', remedy: 'Correct `model.name` in config.yaml'},
	model_rate_limited: {
		meaning: 'The provider is limiting requests',
		remedy: 'Wait, or raise the limits of your account',
	},
	model_unreachable: {
		meaning: 'The provider could not be reached',
		remedy: 'Check the network, and `model.base_url` in config.yaml',
	},
	model_timed_out: {
		meaning: 'The model sent nothing for too long',
		remedy: 'Raise `agent.model_timeout`, or see whether the model server still works',
	},
	limit_reached: {
		meaning: 'A limit of `limits` is reached',
		remedy:
			'`sluice status` shows the limits; allow the request, raise the limit in config.yaml, or wait for the next day',
	},
	context_too_long: {
		meaning: 'The conversation is longer than the model takes',
		remedy: 'Choose a model with a larger context in `model.name`, or shorten the prompt of the route',
	},
	model_failed: {
		meaning: 'The model gave no usable answer',
		remedy: 'The answer of the provider is in the last lines of `sluice logs`',
	},
	run_stuck: {
		meaning: 'The run ended without an answer',
		remedy: 'Check its steps with `sluice runs show ID`; raise `agent.max_steps` if it needs more',
	},
	unknown_run: {
		meaning: 'No open run has this id',
		remedy: 'Run `sluice runs list` to see the runs and their states; the run may have ended already',
	},
	run_elsewhere: {
		meaning: 'The run is in progress on another gateway of the journal',
		remedy: 'Run `sluice runs cancel ID` on that gateway; `sluice runs show ID` names it',
	},
	unknown_event: {meaning: 'No stored event has this id', remedy: 'Run `sluice events list` to see the ids'},
	not_replayable: {
		meaning: 'The event cannot be replayed',
		remedy: 'Run `sluice doctor`; if the body of the event was not stored, let its sender deliver it again',
	},
	unknown_route: {meaning: 'No route has this name', remedy: 'Run `sluice webhook list` to see the names'},
	route_shadowed: {
		meaning: 'A route in config.yaml has the same name as a subscription',
		remedy: 'Remove the subscription with `sluice webhook remove NAME`, or choose another name',
	},
	unknown_job: {
		meaning: 'No cron job matches, or more than one does',
		remedy: 'Run `sluice cron list` to see the names and ids',
	},
	cron_invalid: {
		meaning: 'The cron job is not valid',
		remedy: 'Run `sluice cron create --help` to see examples',
	},
	unknown_target: {meaning: 'Unknown delivery target', remedy: 'Set `deliver` to one of the listed targets'},
	pattern_refused: {
		meaning: 'The regular expression cannot run in linear time',
		remedy: 'Rewrite `regex` without lookaround and backreferences',
	},
	port_in_use: {
		meaning: 'The port is already in use',
		remedy: 'Set `port` to a free port, or stop the program that uses it',
	},
	listen_failed: {
		meaning: 'Cannot listen on the address',
		remedy: 'Set `host` to an address of this machine, such as 127.0.0.1, and `port` to 1024 or more',
	},

	platform_unusable: {
		meaning: 'The delivery platform is disabled, or a setting is missing',
		remedy: 'Set the named key under `platforms` in config.yaml, or the named variable in .env',
	},
	delivery_failed: {
		meaning: 'Delivery failed',
		remedy:
			'The answer of the platform is in the last lines of `sluice logs`. Then run `sluice events replay ID --deliver`',
	},
	too_many_open_files: {
		meaning: 'Too many open files and connections',
		remedy:
			'Raise the limit of open files, for example with `ulimit -n 4096`, and restart the gateway; accepted events and answers are retried',
	},
	storage_unavailable: {
		meaning: 'The journal cannot be read or written',
		remedy:
			'Free disk space and make journal.db writable. `sluice doctor` says whether the journal is damaged, and how to move it away',
	},
	schema_newer: {
		meaning: 'The journal was written by a newer version of Sluice',
		remedy: 'Install that version of Sluice, or a newer one; `sluice --version` prints the version of this one',
	},
	journal_not_moved: {
		meaning: 'The journal was not moved; its file is unchanged, and the database holds nothing of it',
		remedy: 'Correct the named fault, then run `sluice journal move` again',
	},
} as const satisfies Readonly<Record<string, ProblemText>>;
