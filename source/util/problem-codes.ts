/** The error table; docs/errors.md is generated from it. */
export const problemCodes = {
	internal: {
		meaning: 'Something inside Sluice went wrong',
		remedy: 'Repeat what you did; if it fails again, report it with this message and the end of logs/sluice.log',
	},
	unsupported_node: {meaning: 'This Node.js is too old', remedy: 'Install Node.js 22.22.2, 24.15 or newer'},
	bad_usage: {
		meaning: 'The command line was not understood',
		remedy: 'Run the command with `--help`, which lists its words and flags',
	},

	ambiguous_id: {
		meaning: 'The beginning or end of an id that was given belongs to more than one',
		remedy: 'Type more of the id, or all of it',
	},

	config_syntax: {
		meaning: 'The file is not valid YAML or JSON',
		remedy: 'Correct the file at the line and column that are named, and save it',
	},
	config_invalid: {
		meaning: 'A value is not allowed',
		remedy: 'Set the key that is named to something that is allowed, and save the file',
	},
	config_unknown_key: {meaning: 'Unknown key', remedy: 'Rename the key, or remove it'},
	config_unreadable: {
		meaning: 'A file of the state directory cannot be read or written',
		remedy:
			'Give the file to your user (`chown`), allow it to read and write (`chmod u+rw`), and free disk space (`df -h`)',
	},
	config_changed: {meaning: 'The file changed while it was being edited', remedy: 'Run the command again'},
	server_exists: {
		meaning: 'A tool server with this name already exists',
		remedy: 'Choose another name, or remove the other server with `sluice mcp remove NAME`',
	},
	link_refused: {
		meaning: 'The install link is not allowed',
		remedy: 'Ask its author for another, or add the server by hand with `sluice mcp add NAME URL`',
	},
	unknown_profile: {
		meaning: 'No profile with this name is served',
		remedy:
			'Set `gateway.multiplex_profiles: true`, add the profile to `gateway.profiles`, and start the gateway again',
	},
	unknown_server: {
		meaning: 'No tool server with this name is configured',
		remedy: 'Run `sluice mcp list` for the names',
	},

	gateway_running: {
		meaning: 'Another gateway is using this state directory',
		remedy: 'Use it (`sluice mcp list`, `sluice approvals list`), or end its process with `kill`',
	},
	gateway_not_running: {meaning: 'No gateway is running for this state directory', remedy: 'Start one with `sluice`'},
	control_failed: {
		meaning: 'The running gateway did not answer',
		remedy:
			'Run `sluice doctor`, which names the process of a gateway that hangs; end it with `kill`, and start it again with `sluice`',
	},
	service_unavailable: {meaning: 'No service manager can be used', remedy: 'Run `sluice gateway run` in a terminal'},
	service_failed: {meaning: 'The service manager failed', remedy: 'Run `sluice service status`, which names the log'},
	service_not_ours: {meaning: 'The service file is not ours', remedy: 'Move it away, then `sluice service install`'},

	command_not_found: {
		meaning: 'The executable of a tool server was not found',
		remedy: 'Install the program, or set `command` to its full path',
	},
	server_exited: {
		meaning: 'The tool server exited',
		remedy: 'Read in the end of its stderr why, and correct `command`, `args` or `env` of the server',
	},
	connect_failed: {
		meaning: 'The tool server could not be reached',
		remedy: 'Check that the server runs, and for a remote one `url`, the network and certificates',
	},
	invalid_answer: {
		meaning: 'The tool server answered with what the protocol does not allow',
		remedy: 'Update the server, or report it to its author',
	},
	connect_timeout: {
		meaning: 'The tool server did not answer in time',
		remedy: 'Check that the server runs, or raise its `connect_timeout`',
	},
	server_unauthorized: {
		meaning: 'The tool server rejected the credentials',
		remedy: 'Correct `headers` of the server; if it wants a login, run `sluice mcp login NAME`',
	},
	login_required: {
		meaning: 'The tool server requires a login',
		remedy: 'Run `sluice mcp login NAME`',
	},
	wider_login_required: {
		meaning: 'The login lacks a scope that this request needs',
		remedy: 'Log in again with `sluice mcp login NAME`; the missing scope will be requested too',
	},
	login_failed: {
		meaning: 'The login failed',
		remedy:
			'Log in again with `sluice mcp login NAME`; if it fails for the same reason, ask the operator. Existing credentials are kept',
	},
	login_denied: {
		meaning: 'The login was denied',
		remedy: 'Log in again with `sluice mcp login NAME` if that was a mistake',
	},
	login_timeout: {
		meaning: 'The login was not approved in time',
		remedy: 'Log in again with `sluice mcp login NAME`, and approve it in time',
	},
	device_login_unsupported: {
		meaning: 'The authorization server does not support device login',
		remedy: 'Run `sluice mcp login NAME --flow browser`, or ask its operator to enable device authorization',
	},
	issuer_mismatch: {
		meaning: 'The authorization server is not the expected one',
		remedy:
			'Nothing was sent to it; ask its operator, or remove the old login with `sluice mcp logout NAME`, then run `sluice mcp login NAME`',
	},
	not_an_mcp_server: {meaning: 'The address does not answer like an MCP server', remedy: 'Check `url` and `transport`'},
	address_refused: {
		meaning: 'An address from outside points to a network that is not allowed',
		remedy: 'Use an address on the internet; nothing was sent to this one',
	},
	fetch_failed: {meaning: 'The web address did not answer', remedy: 'Check the network, or try again later'},
	file_missing: {
		meaning: 'A file named in the configuration cannot be read',
		remedy: 'Create the file that is named, or correct the key that names it',
	},

	unknown_tool: {meaning: 'No tool with this name is registered', remedy: 'Run `sluice mcp tools` for the names'},
	unknown_call: {
		meaning: 'No uncertain call with this id is waiting for a decision',
		remedy: 'Someone else may have decided; view 2 of the dashboard (`sluice`) lists those that still wait',
	},
	tool_name_taken: {
		meaning: 'Two tools have the same name; the first one keeps it',
		remedy: 'Rename the server, or exclude one of the tools with `tools.exclude` of its server',
	},
	tool_unusable: {
		meaning: 'The tool definition cannot be used',
		remedy: 'Report it to the author of the server, or exclude the tool with `tools.exclude` of the server',
	},
	invalid_arguments: {
		meaning: 'The arguments are not a JSON object',
		remedy: 'Pass an object that matches the input schema',
	},
	denied: {meaning: 'A person denied the call', remedy: 'Do not repeat it unchanged'},
	timed_out: {
		meaning: 'Nobody answered the approval request in time',
		remedy: 'Try again when someone is there to answer, or raise `approvals.timeout`',
	},
	no_channel: {
		meaning: 'The call needs approval, and nobody can be asked',
		remedy:
			'Open the dashboard with `sluice`, or set `approvals.unattended: hold` and answer with `sluice approvals allow ID`',
	},
	cancelled: {
		meaning: 'The call was cancelled',
		remedy: 'Call again if it is still wanted; a call ends with its caller and with the gateway',
	},
	circuit_open: {
		meaning: 'The tool server failed repeatedly and is paused for a while',
		remedy: 'Wait a minute for the next try, or run `sluice mcp reconnect NAME`',
	},
	server_unavailable: {meaning: 'The tool server is not connected', remedy: 'Run `sluice mcp list` for the reason'},
	call_timeout: {
		meaning: 'The call took longer than `timeout`',
		remedy: 'Raise `timeout`, and check what the call did',
	},
	call_failed: {
		meaning: 'The tool server answered the call with an error',
		remedy: "Change the call as the server's answer says; `sluice mcp tools --json` shows what the tool takes",
	},
	tool_error: {
		meaning: 'The tool reported an error',
		remedy: "Change the call as the tool's answer says; `sluice mcp tools --json` shows what it takes",
	},
	sampling_refused: {
		meaning: 'The tool server asked the model for something that is not allowed',
		remedy: 'Change `enabled`, `max_rpm`, `max_tool_rounds` or `allowed_models` in `sampling` of the server',
	},
	outcome_uncertain: {
		meaning: 'The connection was lost during the call, which may have taken effect',
		remedy: 'Check whether it took effect before repeating it',
	},

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
		remedy: 'Nothing, if it has ended; `sluice events show ID` shows the runs of an event',
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
} as const satisfies Record<string, {readonly meaning: string; readonly remedy: string}>;

export type ProblemCode = keyof typeof problemCodes;
