import {type BadInput, inConfig} from './bad-input.ts';

/** Entries of `mcp_servers`, with their logins. */
export const serverRows: readonly BadInput[] = [
	inConfig('a list for the servers', 'mcp_servers: [files]\n', [
		'warning config_invalid: config.yaml:1:14: mcp_servers: A list is not allowed here. Allowed: a mapping of server names to servers. It is ignored',
	]),
	inConfig('a server without anything', 'mcp_servers:\n  files:\n', [
		'warning config_invalid: config.yaml:2:9: mcp_servers.files: The server is empty and is ignored. Give it a `command` or a `url`, or remove it',
	]),
	inConfig('a text for a server', 'mcp_servers:\n  files: npx\n', [
		'config_invalid: config.yaml:2:10: mcp_servers.files: Text is not allowed here. Allowed: a mapping with `command` or `url`',
	]),
	inConfig('neither command nor url', 'mcp_servers:\n  files: {args: [a]}\n', [
		'config_invalid: config.yaml:2:10: mcp_servers.files: The server has neither `command` nor `url`. Set one of them',
	]),
	inConfig('both command and url', 'mcp_servers:\n  files: {command: npx, url: "https://a.example/mcp"}\n', [
		'warning config_invalid: config.yaml:2:20: mcp_servers.files.command: The server has both `url` and `command`; `url` is used. Remove one of them',
	]),
	inConfig('a whole command line as the command', 'mcp_servers:\n  files: {command: npx -y server-files}\n', [
		'warning config_invalid: config.yaml:2:20: mcp_servers.files.command: The command has spaces, but must be the program alone. Write `command: npx` and put the rest into `args`',
	]),
	inConfig('a list for the command', 'mcp_servers:\n  files: {command: [npx]}\n', [
		'config_invalid: config.yaml:2:20: mcp_servers.files.command: A list is not allowed here. Allowed: a program name or path',
	]),
	inConfig('a mapping for the arguments', 'mcp_servers:\n  files: {command: npx, args: {a: 1}}\n', [
		'config_invalid: config.yaml:2:31: mcp_servers.files.args: A mapping is not allowed here. Allowed: a list',
	]),
	inConfig('an address without a protocol', 'mcp_servers:\n  files: {url: a.example/mcp}\n', [
		'config_invalid: config.yaml:2:16: mcp_servers.files.url: The text is not an address. Allowed: an http:// or https:// address',
	]),
	inConfig('an address of another protocol', 'mcp_servers:\n  files: {url: "ftp://a.example/mcp"}\n', [
		'config_invalid: config.yaml:2:16: mcp_servers.files.url: An address that begins with ftp: is not allowed here. Allowed: an http:// or https:// address',
	]),
	inConfig('a key of a server with a typing mistake', 'mcp_servers:\n  files: {command: npx, tiemout: 5}\n', [
		'warning config_unknown_key: config.yaml:2:25: mcp_servers.files.tiemout: "tiemout" is not a known key; did you mean "timeout"?',
	]),
	inConfig('a time that is not a number', 'mcp_servers:\n  files: {command: npx, timeout: 5 minutes}\n', [
		'warning config_invalid: config.yaml:2:34: mcp_servers.files.timeout: "5 minutes" is not allowed here. Allowed: a number of seconds, 0.001 or more. Using 300',
	]),
	inConfig(
		'a transport that does not exist',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", transport: websocket}\n',
		[
			'warning config_invalid: config.yaml:2:52: mcp_servers.files.transport: "websocket" is not a known transport. Allowed: sse, http, streamable-http, stdio. The key is ignored',
		],
	),
	inConfig('a protocol with a typing mistake', 'mcp_servers:\n  files: {command: npx, protocol: statless}\n', [
		'warning config_invalid: config.yaml:2:35: mcp_servers.files.protocol: "statless" is not a known protocol; did you mean "stateless"? Allowed: auto, stateless, legacy. Using auto',
	]),
	inConfig('a trust with a typing mistake', 'mcp_servers:\n  files: {command: npx, trust: untrustd}\n', [
		'warning config_invalid: config.yaml:2:32: mcp_servers.files.trust: "untrustd" is not a known value; did you mean "untrusted"? Allowed: full, untrusted. Using untrusted',
	]),
	inConfig('a word for the switch of a server', 'mcp_servers:\n  files: {command: npx, enabled: maybe}\n', [
		'warning config_invalid: config.yaml:2:34: mcp_servers.files.enabled: "maybe" is not allowed here. Allowed: true or false. Using true',
	]),
	inConfig('a key of remote servers on a stdio server', 'mcp_servers:\n  files: {command: npx, headers: {A: b}}\n', [
		'warning config_invalid: config.yaml:2:34: mcp_servers.files.headers: `headers` has no effect on a stdio server; it is for servers with `url`',
	]),
	inConfig(
		'a key of stdio servers on a remote server',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", pass_env: [HOME]}\n',
		[
			'warning config_invalid: config.yaml:2:51: mcp_servers.files.pass_env: `pass_env` has no effect on a remote server; it is for servers with `command`',
		],
	),
	inConfig(
		'a value for the name of a variable',
		'mcp_servers:\n  files: {command: npx, pass_env: ["TOKEN=hunter2"]}\n',
		[
			'warning config_invalid: config.yaml:2:35: mcp_servers.files.pass_env: A text is not the name of a variable and is ignored. Allowed: names such as NODE_EXTRA_CA_CERTS; values belong in `env`',
		],
	),
	inConfig(
		'a key of a certificate without a certificate',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", client_key: /k.pem}\n',
		[
			'warning config_invalid: config.yaml:2:53: mcp_servers.files.client_key: `client_key` has no effect unless `client_cert` is one path',
		],
	),
	inConfig(
		'four parts of a certificate',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", client_cert: [a, b, c, d]}\n',
		[
			'config_invalid: config.yaml:2:54: mcp_servers.files.client_cert: A list is not allowed here. Allowed: a path, [certificate, key] or [certificate, key, password]',
		],
	),
	inConfig('the name of the built-in tools', 'mcp_servers:\n  sluice: {command: npx}\n', [
		'config_invalid: config.yaml:2:3: mcp_servers.sluice: The name "sluice" belongs to the built-in tools → Rename the server',
	]),
	inConfig('a server without a name', 'mcp_servers:\n  "": {command: npx}\n', [
		'config_invalid: config.yaml:2:7: mcp_servers."": The server has no name. Give it one',
	]),
	inConfig('an invisible character in a name', 'mcp_servers:\n  "fi\\u200bles": {command: npx}\n', [
		'config_invalid: config.yaml:2:18: mcp_servers."fi‹U+200B›les": The name has invisible characters. Rename the server',
	]),
	inConfig('an unknown kind of login', 'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth2}\n', [
		'config_invalid: config.yaml:2:47: mcp_servers.files.auth: Text is not allowed here. Allowed: oauth',
	]),
	inConfig('oauth without auth', 'mcp_servers:\n  files: {url: "https://a.example/mcp", oauth: {scope: read}}\n', [
		'warning config_invalid: config.yaml:2:48: mcp_servers.files.oauth: `oauth` has no effect without `auth: oauth`',
	]),
	inConfig(
		'an unknown flow',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {flow: browsr}}\n',
		[
			'config_invalid: config.yaml:2:68: mcp_servers.files.oauth.flow: "browsr" is not a known flow; did you mean "browser"? Allowed: device, browser',
		],
	),
	inConfig(
		'a port of the redirect that is not a number',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {redirect_port: http}}\n',
		[
			'warning config_invalid: config.yaml:2:77: mcp_servers.files.oauth.redirect_port: "http" is not allowed here. Allowed: a whole number from 0 to 65535. The key is ignored',
		],
	),
	inConfig(
		'a client document without https',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {client_metadata_url: "http://a.example/c.json"}}\n',
		[
			'config_invalid: config.yaml:2:83: mcp_servers.files.oauth.client_metadata_url: The address is not https. Allowed: an https:// address with a path',
		],
	),
	inConfig(
		'a client document without a path',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {client_metadata_url: "https://a.example"}}\n',
		[
			'config_invalid: config.yaml:2:83: mcp_servers.files.oauth.client_metadata_url: The address has no path. Allowed: an https:// address with a path',
		],
	),
	inConfig(
		'a client document with credentials',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {client_metadata_url: "https://me:pw@a.example/c.json"}}\n',
		[
			'config_invalid: config.yaml:2:83: mcp_servers.files.oauth.client_metadata_url: The address contains credentials. Remove them',
		],
	),
	inConfig(
		'a client document with a fragment',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {client_metadata_url: "https://a.example/c.json#x"}}\n',
		[
			'config_invalid: config.yaml:2:83: mcp_servers.files.oauth.client_metadata_url: The address has a fragment. Remove `#` and the text after it',
		],
	),
	inConfig(
		'a parameter that the login sets itself',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {authorize_params: {state: x}}}\n',
		[
			'config_invalid: config.yaml:2:88: mcp_servers.files.oauth.authorize_params.state: "state" is set by the login itself. Remove it',
		],
	),
	inConfig(
		'a parameter with a space in its name',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {token_params: {"a b": x}}}\n',
		[
			'config_invalid: config.yaml:2:84: mcp_servers.files.oauth.token_params."a b": The name is not allowed for a parameter. Allowed: letters, digits, `_`, `-` and `.`',
		],
	),
	inConfig(
		'a method of authentication that does not exist',
		'mcp_servers:\n  files: {url: "https://a.example/mcp", auth: oauth, oauth: {token_endpoint_auth_method: basic}}\n',
		[
			'warning config_invalid: config.yaml:2:90: mcp_servers.files.oauth.token_endpoint_auth_method: "basic" is not a known value. Allowed: none, client_secret_basic, client_secret_post. The method is chosen from those that the server offers',
		],
	),
];
