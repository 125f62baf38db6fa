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
		meaning: 'No call with this id is there, or waits for a decision',
		remedy: '`sluice uncertain list` and `sluice calls list` show what is there; someone else may have decided',
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
		meaning: 'The arguments are not a JSON object, or would be changed on their way',
		remedy: 'Pass an object that matches the input schema, each name once, and large numbers as texts',
	},
	denied: {meaning: 'A person or a rule denied the call', remedy: 'Do not repeat it unchanged'},
	rules_invalid: {
		meaning: 'The rules of `approvals` or `approval-rules.json` cannot be read, so no tool is called',
		remedy: 'Mend what `sluice doctor` names; the next call reads them again',
	},
	commands_denied: {
		meaning: 'Commands may not allow calls here (`approvals.cli: deny`)',
		remedy: 'Answer in a dashboard: `sluice`, or `sluice attach` where a gateway runs',
	},
	held: {
		meaning: 'Everything is held: nothing is sent',
		remedy: 'Release it with `sluice unhold`',
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
} as const satisfies Readonly<Record<string, ProblemText>>;
