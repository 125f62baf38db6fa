import {eventCodes} from './problem-codes-of-events.ts';
import {type ProblemText, toolCodes} from './problem-codes-of-tools.ts';

/** The program itself, its files, the running gateway and the system's service manager. */
const programCodes = {
	internal: {
		meaning: 'Something inside Sluice went wrong',
		remedy: 'Try again. If it fails again, report it with this message and the last lines of `sluice logs`',
	},
	unsupported_node: {meaning: 'This Node.js is too old', remedy: 'Install Node.js 22.22.2, 24.15 or newer'},
	bad_usage: {
		meaning: 'The command line was not understood',
		remedy: '`sluice --help` lists the commands, `sluice NOUN --help` those of a noun',
	},

	ambiguous_id: {
		meaning: 'The part of an id matches more than one id',
		remedy: 'Type more of the id, or all of it',
	},

	config_syntax: {
		meaning: 'The file is not valid YAML or JSON',
		remedy: 'Correct the file at the named line and column, and save it',
	},
	config_invalid: {
		meaning: 'A value is not allowed',
		remedy: 'Set the named key to an allowed value, and save the file',
	},
	config_unknown_key: {meaning: 'Unknown key', remedy: 'Rename or remove the key, and save the file'},
	config_unreadable: {
		meaning: 'A file of the state directory cannot be read or written',
		remedy: 'Make the file yours (`chown`), readable and writable (`chmod u+rw`), and check the disk space (`df -h`)',
	},
	program_settings: {
		meaning: 'The settings of another program cannot be read or changed',
		remedy: 'Correct the named file, or move it away, and run the command again',
	},
	program_failed: {
		meaning: 'The command of another program failed',
		remedy: 'Run the named command by hand to see why',
	},
	config_changed: {meaning: 'The file changed while it was being edited', remedy: 'Run the command again'},
	server_exists: {
		meaning: 'A tool server with this name already exists',
		remedy: 'Choose another name, or remove the existing server with `sluice mcp remove NAME`',
	},
	link_refused: {
		meaning: 'The install link is not allowed',
		remedy: 'Ask its author for a correct link, or add the server yourself with `sluice mcp add NAME URL`',
	},
	unknown_profile: {
		meaning: 'No profile with this name is served',
		remedy: 'Set `gateway.multiplex_profiles: true`, add the profile to `gateway.profiles`, and restart the gateway',
	},
	unknown_server: {
		meaning: 'No tool server with this name is configured',
		remedy: 'Run `sluice mcp list` to see the names',
	},

	gateway_running: {
		meaning: 'Another gateway is using this state directory',
		remedy: 'Open it with `sluice attach`, or stop it with `sluice stop`',
	},
	gateway_not_running: {meaning: 'No gateway is running for this state directory', remedy: 'Start one with `sluice`'},
	gateway_version: {
		meaning: 'The running gateway and this command have different versions',
		remedy: 'Restart the gateway with `sluice stop` and `sluice`, or use the version of Sluice that started it',
	},
	control_busy: {
		meaning: 'Too many windows and commands are connected to the gateway',
		remedy: 'Close a window that is no longer needed, and run the command again',
	},
	control_socket_unsafe: {
		meaning: 'The control socket belongs to another user, or is open to others',
		remedy: 'Stop the gateway that created it, remove the named file, and start the gateway as your own user',
	},
	control_failed: {
		meaning: 'The running gateway did not answer',
		remedy:
			'Run `sluice doctor` to get the process id of the gateway; end it with `kill`, and start it again with `sluice`',
	},
	service_unavailable: {
		meaning: 'This machine has no service manager that Sluice can use',
		remedy: 'Run `sluice gateway run` in a terminal',
	},
	service_failed: {meaning: 'The service manager failed', remedy: 'Run `sluice service status` to find its log'},
	service_not_ours: {
		meaning: 'Sluice did not write the service file',
		remedy: 'Move the file away, then run `sluice service install`',
	},
} as const satisfies Readonly<Record<string, ProblemText>>;

/** The error table; docs/errors.md is generated from it. */
export const problemCodes = {...programCodes, ...toolCodes, ...eventCodes} as const;

export type ProblemCode = keyof typeof problemCodes;
