/** The error table; docs/errors.md is generated from it. */
export const problemCodes = {
	internal: {meaning: 'Something inside Sluice went wrong', remedy: 'Please report it, with this message'},
	unsupported_node: {meaning: 'This Node.js is too old', remedy: 'Install Node.js 22.22.2, 24.15 or newer'},
	bad_usage: {meaning: 'The command line was not understood', remedy: 'See --help'},

	config_syntax: {meaning: 'The file is not valid YAML or JSON', remedy: 'Fix the named line and column'},
	config_invalid: {meaning: 'A value is not allowed', remedy: 'The message says what was found and what is allowed'},
	config_unknown_key: {meaning: 'Unknown key', remedy: 'See the suggestion in the message'},
	config_unreadable: {
		meaning: 'A file of the state directory cannot be read or written',
		remedy: 'Check its owner, its permissions and the free disk space',
	},
	config_changed: {meaning: 'The file changed while it was being edited', remedy: 'Try again'},
	server_exists: {meaning: 'A tool server with this name already exists', remedy: 'Choose another name'},
	link_refused: {
		meaning: 'The install link is not allowed',
		remedy: 'Ask its author, or add the server by hand with `sluice mcp add`',
	},
	unknown_profile: {
		meaning: 'No profile with this name is served',
		remedy: 'See `gateway.multiplex_profiles` and `gateway.profiles`',
	},
	unknown_server: {meaning: 'No tool server with this name is configured', remedy: 'See `sluice mcp list`'},

	gateway_running: {
		meaning: 'Another gateway is using this state directory',
		remedy: 'Stop that process, or use it: `sluice mcp list`, `sluice approvals`',
	},
	gateway_not_running: {meaning: 'No gateway is running for this state directory', remedy: 'Start one with `sluice`'},
	control_failed: {meaning: 'The running gateway did not answer', remedy: 'Check its log'},

	command_not_found: {meaning: 'The executable of a tool server was not found', remedy: 'Check `command` and PATH'},
	server_exited: {meaning: 'The tool server exited', remedy: 'Its log has all of its stderr'},
	connect_failed: {
		meaning: 'The tool server could not be reached',
		remedy: 'Check `url`, the network and certificates',
	},
	connect_timeout: {
		meaning: 'The tool server did not answer in time',
		remedy: 'Raise `connect_timeout`, or check the server',
	},
	server_unauthorized: {meaning: 'The tool server rejected the credentials', remedy: 'Check `headers`, or log in'},
	login_required: {
		meaning: 'The tool server requires a login',
		remedy: 'Press L in the dashboard, or run `sluice mcp login`',
	},
	wider_login_required: {
		meaning: 'The login lacks a scope that this request needs',
		remedy: 'Log in again; the missing scope will be requested too',
	},
	login_failed: {meaning: 'The login failed', remedy: 'The message says why; existing credentials are kept'},
	login_denied: {meaning: 'The login was denied', remedy: 'Log in again if that was a mistake'},
	login_timeout: {meaning: 'The login was not approved in time', remedy: 'Log in again'},
	device_login_unsupported: {
		meaning: 'The authorization server does not support device login',
		remedy: 'Use `--flow browser`, or ask its operator to enable device authorization',
	},
	issuer_mismatch: {
		meaning: 'The authorization server is not the expected one',
		remedy: 'Nothing was sent to it; ask its operator, or remove the old login with `sluice mcp logout`',
	},
	not_an_mcp_server: {meaning: 'The address does not answer like an MCP server', remedy: 'Check `url` and `transport`'},
	address_refused: {
		meaning: 'An address from outside points to a network that is not allowed',
		remedy: 'The message names the address; nothing was sent to it',
	},
	fetch_failed: {meaning: 'The web address did not answer', remedy: 'Check the network, or try again later'},
	file_missing: {
		meaning: 'A file named in the configuration cannot be read',
		remedy: 'The message names the key and the path',
	},

	unknown_tool: {meaning: 'No tool with this name is registered', remedy: 'See `sluice mcp tools`'},
	unknown_call: {
		meaning: 'No uncertain call with this id is waiting for a decision',
		remedy: 'Someone else may have decided; check the uncertain calls again',
	},
	tool_name_taken: {
		meaning: 'Two tools have the same name; the first one keeps it',
		remedy: 'Rename the server, or exclude one of the tools',
	},
	tool_unusable: {
		meaning: 'The tool definition cannot be used',
		remedy: 'Report it to the author of the server, or exclude the tool',
	},
	invalid_arguments: {
		meaning: 'The arguments are not a JSON object',
		remedy: 'Pass an object that matches the input schema',
	},
	denied: {meaning: 'A person denied the call', remedy: 'Do not repeat it unchanged'},
	timed_out: {
		meaning: 'Nobody answered the approval request in time',
		remedy: 'Try again when someone is there to answer',
	},
	no_channel: {meaning: 'The call needs approval, and nobody can be asked', remedy: 'Open the dashboard'},
	cancelled: {meaning: 'The call was cancelled', remedy: 'The caller disconnected, or the gateway stopped'},
	circuit_open: {
		meaning: 'The tool server failed repeatedly and is paused for a while',
		remedy: 'Wait for the next probe, or reconnect it',
	},
	server_unavailable: {meaning: 'The tool server is not connected', remedy: 'See `sluice mcp list` for the reason'},
	call_timeout: {
		meaning: 'The call took longer than `timeout`',
		remedy: 'Raise `timeout`, and check what the call did',
	},
	call_failed: {
		meaning: 'The tool server answered the call with an error',
		remedy: 'The message is what the server answered',
	},
	tool_error: {meaning: 'The tool reported an error', remedy: 'The message is what the tool answered'},
	sampling_refused: {
		meaning: 'The tool server asked the model for something that is not allowed',
		remedy: 'See `sampling` of the server; the message says why',
	},
	outcome_uncertain: {
		meaning: 'The connection was lost during the call, which may have taken effect',
		remedy: 'Check whether it took effect before repeating it',
	},

	route_without_secret: {meaning: 'A route has no secret', remedy: 'Set `secret` for the route or for the platform'},
	webhooks_off: {
		meaning: 'Webhooks are off',
		remedy: 'Run `sluice gateway setup`, or set `platforms.webhook.enabled: true` in config.yaml',
	},
	insecure_public_bind: {
		meaning: 'INSECURE_NO_AUTH is only allowed on a loopback host',
		remedy: 'Bind to 127.0.0.1, or set a secret',
	},
	deliver_only_without_target: {
		meaning: 'deliver_only needs a real delivery target',
		remedy: 'Set `deliver` to something other than log',
	},
	deliver_only_with_cron: {meaning: 'A route cannot have both cron_job and deliver_only', remedy: 'Remove one of them'},
	coalesce_conflict: {
		meaning: 'coalesce cannot be combined with deliver_only or cron_job',
		remedy: 'Remove one of them',
	},
	skill_unusable: {
		meaning: 'A skill cannot be loaded',
		remedy: 'See the message; the skill is in `skills/<name>/SKILL.md`',
	},
	unknown_toolset: {meaning: 'No toolset or tool server has this name', remedy: 'The message lists the known ones'},
	model_unusable: {
		meaning: 'The model configuration cannot be used',
		remedy: 'The message names the key; set it, or remove `model`',
	},
	model_unauthorized: {
		meaning: 'The provider rejected the API key',
		remedy: 'Check `model.api_key`, or the environment variable with the key',
	},
	unknown_model: {meaning: 'The provider does not know the model', remedy: 'Check `model.name`'},
	model_rate_limited: {
		meaning: 'The provider is limiting requests',
		remedy: 'Wait, or check the limits of your account',
	},
	model_unreachable: {meaning: 'The provider could not be reached', remedy: 'Check `model.base_url` and the network'},
	model_failed: {meaning: 'The model gave no usable answer', remedy: 'The log has the answer of the provider'},
	run_stuck: {
		meaning: 'The run ended without an answer',
		remedy: 'Check its steps; raise `agent.max_steps` if it needs more',
	},
	unknown_run: {meaning: 'No such run is open', remedy: 'It may have ended already'},
	unknown_event: {meaning: 'No event with this id is stored', remedy: 'See `sluice events list`'},
	not_replayable: {meaning: 'The event cannot be replayed', remedy: 'The message says why'},
	unknown_route: {meaning: 'No route with this name exists', remedy: 'See `sluice webhook list`'},
	route_shadowed: {
		meaning: 'A route in config.yaml has the same name as a subscription',
		remedy: 'Remove the subscription, or choose another name',
	},
	unknown_job: {meaning: 'No cron job matches, or more than one does', remedy: 'See `sluice cron list`'},
	cron_invalid: {meaning: 'The cron job is not valid', remedy: 'The message says what is allowed'},
	unknown_target: {meaning: 'Unknown delivery target', remedy: 'The message lists the targets'},
	pattern_refused: {
		meaning: 'The regular expression cannot run in linear time',
		remedy: 'The message names the construct; lookaround and backreferences are not supported',
	},
	port_in_use: {meaning: 'The port is already in use', remedy: 'Choose another `port`, or stop the other program'},
	listen_failed: {meaning: 'Cannot listen on the address', remedy: 'Check `host` and `port`'},

	platform_unusable: {
		meaning: 'The delivery platform is disabled, or a setting is missing',
		remedy: 'Set what the message names, under `platforms` or in `.env`',
	},
	delivery_failed: {meaning: 'Delivery failed', remedy: 'The log has the answer of the platform'},
	too_many_open_files: {
		meaning: 'Too many open files and connections',
		remedy: 'Raise the limit of open files (`ulimit -n`); accepted events and answers are retried',
	},
	storage_unavailable: {
		meaning: 'The journal cannot be read or written',
		remedy: 'Check the free disk space and permissions; restore a damaged `journal.db`, or move it away',
	},
} as const satisfies Record<string, {readonly meaning: string; readonly remedy: string}>;

export type ProblemCode = keyof typeof problemCodes;
