import {type Command} from '../cli/command.ts';

/** Commands that read and change config.yaml. */
export const configCommands: readonly Command[] = [
	{
		words: ['config', 'get'],
		usage: 'sluice config get [KEY.PATH] [--json]',
		summary: 'Print a value of config.yaml, or all of it; secrets are masked',
		details:
			'Keys are joined with dots, items of a list are counted from 0, and a key with dots is put into double quotes.\nReferences like ${NAME} are printed as they are written.',
		flags: ['json'],
		examples: ['sluice config get', 'sluice config get model.name', `sluice config get 'mcp_servers."a.b".args[0]'`],
		run: async (context, session) => (await import('./config-get.ts')).runConfigGet(context, session),
	},
	{
		words: ['config', 'set'],
		usage: 'sluice config set KEY.PATH VALUE|- [--json]',
		summary: 'Set a value of config.yaml after checking it; comments stay',
		details:
			'VALUE is YAML in one line: text, a number, true, [a list] or {a: mapping}. A value that starts with a hyphen comes after --.\nA secret is never typed here: VALUE is a reference like ${NAME}, or -, which reads the secret from stdin, stores it in\n.env under a name made of the key, and sets the key to a reference to it. For other keys - reads the YAML from stdin.',
		flags: ['json'],
		examples: [
			'sluice config set agent.max_steps 50',
			"sluice config set mcp_servers.files.tools.include '[read_file, list_directory]'",
			"sluice config set model.api_key '${OPENAI_API_KEY}'",
			'sluice config set platforms.telegram.token - < token.txt',
		],
		run: async (context, session) => {
			const {readSecretInput, runConfigSet} = await import('./config-set.ts');
			return runConfigSet(context, session, readSecretInput);
		},
	},
	{
		words: ['config', 'unset'],
		usage: 'sluice config unset KEY.PATH [--json]',
		summary: 'Remove a key from config.yaml, with everything below it',
		flags: ['json'],
		examples: ['sluice config unset agent.max_steps', 'sluice config unset mcp_servers.files.tools.include[1]'],
		run: async (context, session) => (await import('./config-set.ts')).runConfigUnset(context, session),
	},
	{
		words: ['config', 'path'],
		usage: 'sluice config path [--json]',
		summary: 'Print the path of config.yaml',
		flags: ['json'],
		examples: ['sluice config path', 'sluice --profile work config path'],
		run: async (context, session) => (await import('./config-get.ts')).runConfigPath(context, session),
	},
	{
		words: ['config', 'edit'],
		usage: 'sluice config edit',
		summary: 'Edit config.yaml in your editor; it is checked before it is written',
		details:
			'Opens a private copy in $VISUAL, else $EDITOR, else vi. An error is shown with its line, and you can edit again. The file is\nwritten only if it has not changed meanwhile.',
		flags: [],
		examples: ['sluice config edit', 'EDITOR=nano sluice config edit'],
		run: async (context, session) => (await import('./config-edit.ts')).runConfigEdit(context, session),
	},
];
