/** The meaning of a code, and the remedy for a person. */
export type ProblemText = {readonly meaning: string; readonly remedy: string};

/** Tool servers, logins, tools and calls. A part of the error table. */
export const toolCodes = {
	command_not_found: {
		meaning: 'The executable of a tool server was not found',
		remedy: 'Install the program, or set `command` to its full path',
	},
	server_exited: {
		meaning: 'The tool server exited',
		remedy:
			'The last lines of its stderr say why: `sluice logs --server NAME`. Then correct `command`, `args` or `env` of the server',
	},
	connect_failed: {
		meaning: 'The tool server could not be reached',
		remedy: 'Check that the server is running; for a remote one, check `url`, the network and the certificates',
	},
	invalid_answer: {
		meaning: 'The answer of the tool server breaks the protocol',
		remedy: 'Update the server, or report it to its author',
	},
	connect_timeout: {
		meaning: 'The tool server did not answer in time',
		remedy: 'Check that the server is running, or raise its `connect_timeout`',
	},
	server_unauthorized: {
		meaning: 'The tool server rejected the credentials',
		remedy: 'Correct `headers` of the server; if it needs a login, run `sluice mcp login NAME`',
	},
	login_required: {
		meaning: 'The tool server requires a login',
		remedy: 'Run `sluice mcp login NAME`',
	},
	wider_login_required: {
		meaning: 'The login lacks a scope that this request needs',
		remedy: 'Log in again with `sluice mcp login NAME`; it also requests the missing scope',
	},
	login_failed: {
		meaning: 'The login failed',
		remedy:
			'Try again with `sluice mcp login NAME`; if it fails for the same reason, ask the operator of the server. Your existing login is kept',
	},
	login_denied: {
		meaning: 'The login was denied',
		remedy: 'If that was a mistake, log in again with `sluice mcp login NAME`',
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
			'Nothing was sent to it. Ask its operator; if the change is right, run `sluice mcp logout NAME`, then `sluice mcp login NAME`',
	},
	not_an_mcp_server: {
		meaning: 'The address does not answer like an MCP server',
		remedy: 'Check `url` and `transport` of the server',
	},
	address_refused: {
		meaning: 'An address from an outside source points to a network that is not allowed',
		remedy: 'Use an address on the internet. Nothing was sent to this one',
	},
	fetch_failed: {meaning: 'The web address did not answer', remedy: 'Check the network, or try again later'},
	file_missing: {
		meaning: 'A file named in the configuration cannot be read',
		remedy: 'Create the named file, or correct the key that names it',
	},

	unknown_tool: {meaning: 'No tool with this name is registered', remedy: 'Run `sluice mcp tools` to see the names'},
	unknown_rule: {meaning: 'No rule has this id', remedy: 'Run `sluice rules list` to see the ids'},
	unknown_call: {
		meaning: 'No waiting or uncertain call has this id',
		remedy:
			'Run `sluice uncertain list` or `sluice calls list` to see the calls; someone else may already have decided',
	},
	tool_name_taken: {
		meaning: 'Two tools have the same name; the first one keeps it',
		remedy: 'Rename a server, or exclude one of the tools with `tools.exclude` of its server',
	},
	tool_unusable: {
		meaning: 'The tool definition cannot be used',
		remedy: 'Report it to the author of the server, or exclude the tool with `tools.exclude` of the server',
	},
	invalid_arguments: {
		meaning: 'The arguments are not a JSON object, or cannot be passed on unchanged',
		remedy: 'Pass an object that matches the input schema, with each name once and large numbers as strings',
	},
	denied: {meaning: 'A person or a rule denied the call', remedy: 'Do not repeat it unchanged'},
	rules_invalid: {
		meaning: 'The rules of `approvals` or `approval-rules.json` cannot be read, so no tool is called',
		remedy: 'Run `sluice doctor` and correct the named mistakes; the next call reads the rules again',
	},
	commands_denied: {
		meaning: 'Commands may not allow calls here (`approvals.cli: deny`)',
		remedy: 'Answer in a dashboard: run `sluice`, or `sluice attach` if a gateway is running',
	},
	held: {
		meaning: 'The gateway is on hold and sends nothing',
		remedy: 'Run `sluice unhold` to continue',
	},
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
		remedy: 'Call again if you still need it; a call ends with its caller and with the gateway',
	},
	circuit_open: {
		meaning: 'The tool server failed repeatedly and is paused for a while',
		remedy: 'Wait a minute for the next attempt, or run `sluice mcp reconnect NAME`',
	},
	server_unavailable: {meaning: 'The tool server is not connected', remedy: 'Run `sluice mcp list` to see the reason'},
	call_timeout: {
		meaning: 'The call took longer than `timeout` of its server',
		remedy: 'Check what the call did, and raise `timeout` if it needs more time',
	},
	call_failed: {
		meaning: 'The tool server answered the call with an error',
		remedy: "Change the call as the server's answer says; `sluice mcp tools --json` shows the input schema",
	},
	tool_error: {
		meaning: 'The tool reported an error',
		remedy: "Change the call as the tool's answer says; `sluice mcp tools --json` shows the input schema",
	},
	sampling_refused: {
		meaning: 'A request of the tool server to the model was not allowed',
		remedy: 'Change `enabled`, `max_rpm`, `max_tool_rounds` or `allowed_models` in `sampling` of the server',
	},
	outcome_uncertain: {
		meaning: 'The connection was lost during the call, which may have taken effect',
		remedy: 'Check whether it took effect before you repeat it',
	},
} as const satisfies Readonly<Record<string, ProblemText>>;
