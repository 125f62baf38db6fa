/** The error table; docs/errors.md is generated from it. */
export const problemCodes = {
	internal: {meaning: 'Something inside Sluice went wrong', remedy: 'Please report it with these words'},
	unsupported_node: {meaning: 'This Node.js is too old', remedy: 'Install Node.js 22.22.2, 24.15 or newer'},
	bad_usage: {meaning: 'The command line was not understood', remedy: 'See --help'},

	config_syntax: {meaning: 'The file is not valid YAML or JSON', remedy: 'Mend the named line and column'},
	config_invalid: {meaning: 'A value is not allowed', remedy: 'The message says what was found and what is allowed'},
	config_unknown_key: {meaning: 'A key is not known', remedy: 'See the suggestion in the message'},
	config_unreadable: {
		meaning: 'A file of the state directory cannot be read or written',
		remedy: 'Check owner, rights and free space',
	},
	config_changed: {meaning: 'A file was changed while it was being edited', remedy: 'Try again'},
	server_exists: {meaning: 'A tool server of this name is configured already', remedy: 'Choose another name'},
	link_refused: {
		meaning: 'An install link breaks a rule',
		remedy: 'Ask its author; add the server by hand with `sluice mcp add`',
	},
	unknown_profile: {
		meaning: 'No profile of this name is served',
		remedy: 'See `gateway.multiplex_profiles` and `gateway.profiles`',
	},
	unknown_server: {meaning: 'No tool server of this name is configured', remedy: 'See `sluice mcp list`'},

	gateway_running: {
		meaning: 'Another gateway holds this state directory',
		remedy: 'Stop that process, or talk to it: `sluice mcp list`, `sluice approvals`',
	},
	gateway_not_running: {meaning: 'No gateway is running for this state directory', remedy: 'Start one with `sluice`'},
	control_failed: {meaning: 'The running gateway did not answer', remedy: 'Look at its log'},

	command_not_found: {meaning: 'The executable of a tool server was not found', remedy: 'Check `command` and PATH'},
	server_exited: {meaning: 'The tool server ended', remedy: 'Its stderr is in the log of the server'},
	connect_failed: {meaning: 'The tool server could not be reached', remedy: 'Check `url`, network and certificates'},
	connect_timeout: {
		meaning: 'The tool server did not answer in time',
		remedy: 'Raise `connect_timeout` or look at the server',
	},
	server_unauthorized: {meaning: 'The tool server refused the credentials', remedy: 'Check `headers`, or log in'},
	login_required: {
		meaning: 'The tool server wants a login',
		remedy: 'Press L in the dashboard, or run `sluice mcp login`',
	},
	wider_login_required: {
		meaning: 'The login does not cover what the tool server was asked for',
		remedy: 'Log in again: the scope that was missing is asked for too',
	},
	login_failed: {meaning: 'The login did not succeed', remedy: 'The message says why; earlier credentials are kept'},
	login_denied: {meaning: 'The login was denied', remedy: 'Log in again if that was a mistake'},
	login_timeout: {meaning: 'Nobody approved the login in time', remedy: 'Log in again'},
	device_login_unsupported: {
		meaning: 'The authorization server offers no device login',
		remedy: 'Use `--flow browser`, or ask the operator for device authorization',
	},
	issuer_mismatch: {
		meaning: 'An authorization server is not the one that was expected',
		remedy: 'Nothing was sent to it; ask the operator, or forget the former one with `sluice mcp logout`',
	},
	not_an_mcp_server: {meaning: 'What answered is not an MCP server', remedy: 'Check `url` and `transport`'},
	address_refused: {
		meaning: 'An address that somebody else chose leads where it must not',
		remedy: 'The message says where; nothing was sent there',
	},
	fetch_failed: {meaning: 'A web address did not answer', remedy: 'Check the network, or try again later'},
	file_missing: {meaning: 'A file named in the configuration cannot be read', remedy: 'The message names key and path'},

	unknown_tool: {meaning: 'No tool of this name is registered', remedy: 'See `sluice mcp tools`'},
	unknown_call: {
		meaning: 'No uncertain call of this id waits for a decision',
		remedy: 'Somebody else may have decided; look at the uncertain calls again',
	},
	tool_name_taken: {
		meaning: 'Two tools end in one name; the first keeps it',
		remedy: 'Rename the server or exclude one of them',
	},
	tool_unusable: {
		meaning: 'The definition of a tool cannot be used',
		remedy: 'Report it to the author of the server, or exclude the tool',
	},
	invalid_arguments: {
		meaning: 'The arguments are not a JSON object',
		remedy: 'Pass an object that fits the input schema',
	},
	denied: {meaning: 'A person denied the call', remedy: 'Do not repeat it unchanged'},
	timed_out: {meaning: 'Nobody answered the approval in time', remedy: 'Ask again when somebody is there'},
	no_channel: {meaning: 'The call needs an approval and nobody can be asked', remedy: 'Open the dashboard'},
	cancelled: {meaning: 'The call was cancelled', remedy: 'Its caller went away or the gateway stopped'},
	circuit_open: {
		meaning: 'The tool server failed repeatedly and rests for a while',
		remedy: 'Wait for the next probe or reconnect it',
	},
	server_unavailable: {meaning: 'The tool server is not connected', remedy: 'See its row for the reason'},
	call_timeout: {meaning: 'The call took longer than `timeout`', remedy: 'Raise `timeout`; check what the call did'},
	call_failed: {
		meaning: 'The tool server answered the call with an error',
		remedy: 'The message is the answer of the server',
	},
	tool_error: {meaning: 'The tool answered that it failed', remedy: 'The message is the answer of the tool'},
	sampling_refused: {
		meaning: 'A tool server asked the model for something that is not allowed',
		remedy: 'See `sampling` of the server; the message says why',
	},
	outcome_uncertain: {
		meaning: 'The connection was lost during the call; it may have taken effect',
		remedy: 'Verify before repeating',
	},

	route_without_secret: {meaning: 'A route has no secret', remedy: 'Set `secret` on the route or for the platform'},
	insecure_public_bind: {
		meaning: 'INSECURE_NO_AUTH on a host that is not loopback',
		remedy: 'Bind to 127.0.0.1 or set a secret',
	},
	deliver_only_without_target: {
		meaning: 'deliver_only needs a real delivery target',
		remedy: 'Set `deliver` to something other than log',
	},
	deliver_only_with_cron: {meaning: 'A route cannot have cron_job and deliver_only', remedy: 'Keep one of them'},
	coalesce_conflict: {meaning: 'coalesce cannot be combined with deliver_only or cron_job', remedy: 'Keep one of them'},
	skill_unusable: {meaning: 'A skill cannot be loaded', remedy: 'See the message; it lies in `skills/<name>/SKILL.md`'},
	unknown_toolset: {meaning: 'No toolset or tool server has this name', remedy: 'The message lists the known ones'},
	model_unusable: {
		meaning: 'The configured model cannot be used as it is written',
		remedy: 'The message names the key; set it or take `model` out',
	},
	model_unauthorized: {
		meaning: 'The provider refused the key',
		remedy: 'Check `model.api_key` or the variable of the key',
	},
	unknown_model: {meaning: 'The provider does not know the model', remedy: 'Check `model.name`'},
	model_rate_limited: {
		meaning: 'The provider has no room for more requests',
		remedy: 'Wait, or look at the limits of your account',
	},
	model_unreachable: {meaning: 'The provider could not be reached', remedy: 'Check `model.base_url` and the network'},
	model_failed: {meaning: 'The model gave no usable answer', remedy: 'The log has the words of the provider'},
	run_stuck: {
		meaning: 'The run did not come to an answer',
		remedy: 'Look at its steps; raise `agent.max_steps` if it needs more',
	},
	unknown_run: {meaning: 'No such run can be acted on', remedy: 'It may be over already'},
	unknown_event: {meaning: 'No event of this id is stored', remedy: 'See `sluice events list`'},
	not_replayable: {meaning: 'The event cannot be replayed', remedy: 'The message says why'},
	unknown_route: {meaning: 'No route of this name is there', remedy: 'See `sluice webhook list`'},
	route_shadowed: {
		meaning: 'A configured route has the name of a subscription',
		remedy: 'Remove the subscription, or choose another name',
	},
	unknown_job: {meaning: 'No cron job, or more than one, is meant', remedy: 'See `sluice cron list`'},
	cron_invalid: {meaning: 'A cron job cannot be made so', remedy: 'The message says what is allowed'},
	unknown_target: {meaning: 'The delivery target is not known', remedy: 'The message lists the targets'},
	pattern_refused: {
		meaning: 'A regular expression has no linear-time form',
		remedy: 'The message names the construct; look-around and back-references are not available',
	},
	port_in_use: {meaning: 'The port is taken', remedy: 'Choose another `port` or stop the other program'},
	listen_failed: {meaning: 'The address cannot be listened on', remedy: 'Check `host` and `port`'},

	platform_unusable: {
		meaning: 'A delivery platform is switched off or lacks a setting',
		remedy: 'Set what the message names under `platforms`, or in `.env`',
	},
	delivery_failed: {meaning: 'Delivery failed', remedy: 'The log has the answer of the platform'},
	too_many_open_files: {
		meaning: 'No more files and connections could be opened',
		remedy: 'Raise the limit of open files (`ulimit -n`); what was accepted is tried again',
	},
	storage_unavailable: {meaning: 'The journal cannot be written', remedy: 'Check free space and rights'},
} as const satisfies Record<string, {readonly meaning: string; readonly remedy: string}>;

export type ProblemCode = keyof typeof problemCodes;
