import {usageRemedy} from '../../source/commands/cli/command-table.ts';
import {runMcpCall} from '../../source/commands/mcp/mcp-call.ts';
import {type ToolJson} from '../../source/state/json/server.ts';
import {openContext, ownCore} from '../commands/command-fixture.ts';
import {runSluice} from '../helpers/run-sluice.ts';
import {stateDirectory} from '../helpers/sluice.ts';
import {type BadInput} from './bad-input.ts';

const config = {
	model: {provider: 'none'},
	mcp_servers: {
		files: {command: 'files-server'},
		docs: {url: 'http://127.0.0.1:1/mcp', enabled: false},
		a: {command: 'x', enabled: false},
		'a/b': {command: 'x', enabled: false},
	},
	platforms: {webhook: {enabled: true, secret: 'a-secret-of-the-route', routes: {pulls: {}, alerts: {}}}},
};

const help = '`sluice --help` lists the commands, `sluice NOUN --help` those of a noun';

/** The remedy of a wrong use of this command. */
export function helpOf(command: string): string {
	return `Run \`sluice ${command} --help\` to see its usage and examples`;
}

/** The row of a command line: its exit code and all of its stderr, which are a message and, where there is one, a remedy. */
export function typed(
	words: readonly string[],
	code: number,
	[message, remedy]: readonly [message: string, remedy?: string],
): BadInput {
	return {
		input: ['sluice', ...words].join(' '),
		says: [endingText({code, stderr: `sluice: ${message}\n${remedy === undefined ? '' : `        ${remedy}\n`}`})],
		async give() {
			const home = stateDirectory(config);
			const {code: ended, stderr} = await runSluice({home}, ...words);
			return endingText({code: ended, stderr: stderr.replaceAll(home, 'HOME')});
		},
	};
}

/** The same for a line that the parser or the command does not understand. */
export function misused(words: readonly string[], message: string, remedy = help): BadInput {
	return typed(words, 2, [message, remedy]);
}

export function endingText({code, stderr}: {readonly code: number; readonly stderr: string}): string {
	return `${code}: ${stderr}`;
}

function tool(name: string, server: string, own: string): ToolJson {
	return {
		name,
		server,
		tool: own,
		title: null,
		description: '',
		input_schema: {
			type: 'object',
			properties: {path: {type: 'string'}, count: {type: 'integer'}},
			additionalProperties: false,
		},
		read_only: true,
		approval: 'none',
		tokens: null,
		tokenizer: '',
		clients: [],
	};
}

/** The row of `sluice mcp call` with these words, where three tools are registered. */
export function called(words: readonly string[], code: number, message: string, remedy = helpOf('mcp call')): BadInput {
	const tools = [
		tool('mcp__files__read_file', 'files', 'read_file'),
		tool('mcp__a_b__c', 'a/b', 'c'),
		tool('mcp__a__b_c', 'a', 'b/c'),
	];
	return {
		input: ['sluice mcp call', ...words].join(' '),
		says: [endingText({code, stderr: `sluice: ${message}\n        ${remedy}\n`})],
		async give() {
			const {context, stderr} = openContext({arguments: words});
			const {open} = ownCore({'mcp.tools': () => tools});
			const typedContext = {...context, usageRemedy: usageRemedy(['mcp', 'call', ...words])};
			return endingText({code: await runMcpCall(typedContext, open), stderr: stderr()});
		},
	};
}
