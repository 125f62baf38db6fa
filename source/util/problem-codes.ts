import {eventCodes} from './problem-codes-of-events.ts';
import {type ProblemText, toolCodes} from './problem-codes-of-tools.ts';

/** The program itself, its files, the running gateway and the system's service manager. */
const programCodes = {
	internal: {
		meaning: 'Something inside Sluice went wrong',
		remedy: 'Repeat what you did; if it fails again, report it with this message and the end of logs/sluice.log',
	},
	unsupported_node: {meaning: 'This Node.js is too old', remedy: 'Install Node.js 22.22.2, 24.15 or newer'},
	bad_usage: {
		meaning: 'The command line was not understood',
		remedy: '`sluice --help` lists the commands, `sluice NOUN --help` those of a noun',
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
		remedy: 'Look at it with `sluice attach` or `sluice status`, or stop it with `sluice stop`',
	},
	gateway_not_running: {meaning: 'No gateway is running for this state directory', remedy: 'Start one with `sluice`'},
	gateway_version: {
		meaning: 'The running gateway and this command are of different versions',
		remedy: 'Stop the gateway with `sluice stop` and start it again, or use the version of Sluice that started it',
	},
	control_busy: {
		meaning: 'Too many windows and commands are connected to the gateway',
		remedy: 'Close windows that nobody looks at, and run the command again',
	},
	control_socket_unsafe: {
		meaning: 'The control socket belongs to another user, or others may use it',
		remedy: 'Stop the gateway that made it, remove the file that is named, and start the gateway as your own user',
	},
	control_failed: {
		meaning: 'The running gateway did not answer',
		remedy:
			'Run `sluice doctor`, which names the process of a gateway that hangs; end it with `kill`, and start it again with `sluice`',
	},
	service_unavailable: {meaning: 'No service manager can be used', remedy: 'Run `sluice gateway run` in a terminal'},
	service_failed: {meaning: 'The service manager failed', remedy: 'Run `sluice service status`, which names the log'},
	service_not_ours: {meaning: 'The service file is not ours', remedy: 'Move it away, then `sluice service install`'},
} as const satisfies Readonly<Record<string, ProblemText>>;

/** The error table; docs/errors.md is generated from it. */
export const problemCodes = {...programCodes, ...toolCodes, ...eventCodes} as const;

export type ProblemCode = keyof typeof problemCodes;
