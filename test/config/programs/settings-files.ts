import {type SettingsFormat} from '../../../source/config/programs/programs.ts';

/** A settings file as programs and people write them. `path`: the place of its servers. */
export type SettingsFile = {
	readonly name: string;
	readonly format: SettingsFormat;
	readonly path: readonly [string, ...string[]];
	readonly text: string;
};

const json = (name: string, text: string, path: SettingsFile['path'] = ['mcpServers']): SettingsFile => ({
	name,
	format: 'json',
	path,
	text,
});
const toml = (name: string, text: string): SettingsFile => ({name, format: 'toml', path: ['mcp_servers'], text});
const lines = (...parts: readonly string[]) => `${parts.join('\n')}\n`;
const windows = (text: string) => text.replaceAll('\n', '\r\n');

const plain = JSON.stringify({mcpServers: {files: {command: 'npx', args: ['-y', 'x']}}}, null, 2);
const withState = JSON.stringify(
	{numStartups: 7, mcpServers: {a: {command: 'x'}}, projects: {'/p': {history: [1]}}},
	null,
	2,
);
const commented = lines(
	'// Settings',
	'{',
	'  // My servers',
	'  "mcpServers": { // all of them',
	'    "files": {"command": "npx", "args": [ "-y" , "x" ]}, // notes',
	'    /* off */ // "old": {"command": "y"},',
	'    "web": {',
	'      "url": "https://h//x", // no comment: //h',
	'    } // the last one',
	'    // "sluice": {"command": "not me"}',
	'  },',
	'  "theme"  :  "dark", // trailing comma',
	'}',
);
const trailing = lines('{', '  "mcpServers": {', '    "a": {"command": "x",},', '  },', '}');

const jsonFiles: readonly SettingsFile[] = [
	json('an empty file', ''),
	json('a file of one line break', '\n'),
	json('a file of blanks', '  \n\t\n'),
	json('a byte order mark alone', '\uFEFF'),
	json('an empty object', '{}'),
	json('an empty object with a line break', '{\n}\n'),
	json('an empty object with a comment', '{\n  // nothing yet\n}\n'),
	json('comments without a value', '// nothing\n/* yet */\n'),
	json('comments without a line break at the end', '// nothing'),
	json('one server', plain),
	json('one server, and a line break', `${plain}\n`),
	json('one server, indented by tabs', JSON.stringify(JSON.parse(plain), null, '\t')),
	json('one server, indented by four blanks', `${JSON.stringify(JSON.parse(plain), null, 4)}\n`),
	json('one server, minified', JSON.stringify(JSON.parse(plain))),
	json('one server, with Windows line ends', windows(`${plain}\n`)),
	json('one server, with tabs and Windows line ends', windows(JSON.stringify(JSON.parse(plain), null, '\t'))),
	json('one server behind a byte order mark', `\uFEFF${plain}`),
	json('a byte order mark and Windows line ends', `\uFEFF${windows(plain)}`),
	json('no servers yet', '{\n  "mcpServers": {}\n}\n'),
	json('no servers yet, in one line', '{"mcpServers": {}}'),
	json('servers with a comment in braces', '{\n  "mcpServers": {\n    // none\n  }\n}\n'),
	json('servers with a comment in one line', '{"mcpServers": { /* none */ }}'),
	json('state of Claude Code', withState),
	json('settings without servers', '{\n  "theme": "dark",\n  "model": {"name": "x"}\n}\n'),
	json('comments of both kinds', commented),
	json('comments with Windows line ends', windows(commented)),
	json('trailing commas', trailing),
	json('a trailing comma with a comment behind it', lines('{', '  "mcpServers": {', '    "a": {}, // c', '  }', '}')),
	json('a line comment before the closing brace', '{"mcpServers": {"a": {} // c\n}}'),
	json('a line comment in the first line', '{"mcpServers": { // c\n"a": {}}}'),
	json('members of one line on two lines', '{"mcpServers": {"a": {},\n"b": {}}}'),
	json('odd spacing', '{ "a" : 1 ,\n\n   "mcpServers" :\n {\n "x":{"command":"y"}\n\n }\n , "z" : [ 1,2 ] }'),
	json('the commas in front', '{\n  "a": 1\n, "mcpServers": {\n    "x": {}\n  , "y": {}\n  }\n}\n'),
	json('a key with a dot and a slash', '{"mcp.servers": 1, "mcpServers": {"a/b.c": {"command": "x"}}}'),
	json('numbers that JSON.parse would change', '{"n": 1.0, "m": 1e3, "mcpServers": {"a": {"timeout": 30.0}}}'),
	json(
		'escapes that JSON.stringify would change',
		String.raw`{"a": "\u00e9\/", "mcpServers": {"b": {"command": "\u0078"}}}`,
	),
	json(
		'texts of other alphabets',
		'{\n  "mcpServers": {\n    "файлы": {"command": "проба", "env": {"🔑": "значение"}}\n  }\n}\n',
	),
	json('a text that looks like our entry', '{"note": "\\"sluice\\": {", "mcpServers": {"a": {}}}'),
	json('a member __proto__', '{"mcpServers": {"__proto__": {"command": "x"}}}'),
	json(
		'servers of Zed',
		'{\n  "context_servers": {\n    "a": {"command": "x"}, // mine\n  },\n  "vim_mode": true,\n}\n',
		['context_servers'],
	),
	json(
		'servers of VS Code',
		'{\n\t"inputs": [\n\t\t{"type": "promptString", "id": "k"}\n\t],\n\t"servers": {\n\t\t"a": {"type": "stdio", "command": "x"}\n\t}\n}\n',
		['servers'],
	),
	json(
		'servers of opencode',
		'{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "a": {"type": "local", "command": ["x"]}\n  }\n}\n',
		['mcp'],
	),
	json(
		'servers of opencode, one level below',
		'{\n  "mcp": {\n    "servers": {\n      "a": {"type": "local", "command": ["x"]}\n    }\n  }\n}\n',
		['mcp', 'servers'],
	),
];

const codex = lines(
	'# Codex',
	'model = "x"   # the usual one',
	'',
	'[mcp_servers.files]',
	'command = "npx" # notes',
	'args = [',
	'  "-y", # yes',
	'  "x",',
	']',
	'',
	'[mcp_servers.files.env]',
	'KEY = "secret"',
	'',
	'# My projects',
	'[projects."/home/me/x.y"]',
	'trust_level = "trusted"',
);
const lookAlike = lines(
	'notes = """',
	'[mcp_servers.sluice]',
	'command = "not me"',
	'"""',
	"more = '''",
	'[mcp_servers.sluice]',
	"'''",
	'[profiles."mcp_servers.sluice"]',
	'text = "[mcp_servers.sluice]" # [mcp_servers.sluice]',
	'list = [',
	'  [1],',
	'  ["[mcp_servers.sluice]"],',
	']',
);

const tomlFiles: readonly SettingsFile[] = [
	toml('an empty file', ''),
	toml('a file of one line break', '\n'),
	toml('a comment', '# nothing yet\n'),
	toml('a comment without a line break', '# nothing yet'),
	toml('settings of Codex', codex),
	toml('settings without a line break at the end', codex.trimEnd()),
	toml('settings with a blank line at the end', `${codex}\n`),
	toml('Windows line ends', windows(codex)),
	toml('a byte order mark', `\uFEFF${codex}`),
	toml('headers inside texts', lookAlike),
	toml('headers inside texts, with Windows line ends', windows(lookAlike)),
	toml('quotes at the end of a text', 'a = """x""""\nb = """y"""""\nc = \'\'\'z\'\'\'\'\n[d]\ne = 1\n'),
	toml('escaped quotes in a text', String.raw`a = """ \""" [mcp_servers.sluice] """` + '\n'),
	toml('a quoted header', '[ "mcp_servers" . "a.b" ] # here\ncommand = "x"\n'),
	toml('an indented header', '[tools]\n  [mcp_servers.a]\n  command = "x"\n'),
	toml('lists of tables', '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"\n'),
	toml('dotted keys', 'mcp_servers.a.command = "x"\nmcp_servers.a.args = []\n'),
	toml('tables in braces', '[mcp_servers]\na = {command = "x", env = {K = "v"}}\n'),
	toml('dates and numbers', 'at = 1979-05-27T07:32:00Z\nhex = 0xDEAD_BEEF\nn = 30.0\nbig = 9223372036854775807\n'),
	toml('tabs', '[mcp_servers.a]\n\tcommand\t=\t"x"\n'),
	toml('many blank lines', '\n\n\n[a]\n\n\nb = 1\n\n\n\n'),
	toml('a header right before the end', 'a = 1\n[b]'),
];

export const settingsFiles = [...jsonFiles, ...tomlFiles];

const group = '{"matcher": "Bash", "hooks": [{"type": "command", "command": "echo \\"hi\\""}]}';

/** Files of hooks as programs and people write them; `path`: the list of an event. */
export const hookFiles: readonly SettingsFile[] = [
	json('an empty file of hooks', '', ['hooks', 'PreToolUse']),
	json('no hooks yet', '{"permissions": {"allow": ["Bash(ls)"]}}', ['hooks', 'PreToolUse']),
	json('hooks of another event', `{\n  "hooks": {\n    "Stop": [\n      ${group}\n    ]\n  }\n}\n`, [
		'hooks',
		'PreToolUse',
	]),
	json('hooks of the same event', `{\n  "hooks": {\n    "PreToolUse": [\n      ${group}\n    ]\n  }\n}\n`, [
		'hooks',
		'PreToolUse',
	]),
	json('hooks in one line', `{"version": 1, "hooks": {"preToolUse": [{"command": "x"}]}}`, ['hooks', 'preToolUse']),
	json('an empty list', '{\n\t"hooks": {\n\t\t"PreToolUse": []\n\t}\n}', ['hooks', 'PreToolUse']),
	json(
		'hooks with Windows line ends',
		windows(`{\n  "hooks": {\n    "PreToolUse": [\n      ${group}\n    ]\n  }\n}\n`),
		['hooks', 'PreToolUse'],
	),
	json(
		'hooks with comments and trailing commas',
		lines(
			'{',
			'  "hooks": { // all',
			'    "PreToolUse": [',
			`      ${group}, // one`,
			'      // none',
			'    ],',
			'  },',
			'}',
		),
		['hooks', 'PreToolUse'],
	),
	json('named hooks of Antigravity', `{"lint": {"PreToolUse": [${group}]}}`, ['sluice', 'PreToolUse']),
];
