import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from 'vitest';
import {opencodePlugin} from '../../../source/config/hooks/opencode-plugin.ts';
import {callerOf, hookPrograms} from '../../../source/config/hooks/hook-programs.ts';
import {type JsonObject} from '../../../source/util/json-text.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

type Plugin = {
	readonly Sluice: (input: object) => Promise<{
		readonly event: (input: {readonly event: object}) => Promise<void>;
		readonly 'tool.execute.before': (input: object, output: object) => Promise<void>;
	}>;
};

/** Loads the plugin as opencode does, with a hook command that writes down what it gets and does as told. */
async function loadPlugin(script: string) {
	const directory = temporaryDirectory();
	const written = join(directory, 'input.json');
	const file = join(directory, 'sluice.mjs');
	const program = `let text = ''; process.stdin.on('data', chunk => text += chunk).on('end', () => {
		require('node:fs').writeFileSync(${JSON.stringify(written)}, text);
		${script}
	});`;
	writeFileSync(file, opencodePlugin({command: process.execPath, args: ['-e', program]}));
	const replies: object[] = [];
	const client = {permission: {reply: async (reply: object) => void replies.push(reply)}};
	const {Sluice} = (await import(pathToFileURL(file).href)) as Plugin;
	const hooks = await Sluice({client, directory: '/srv/app', serverUrl: new URL('http://127.0.0.1:9/')});
	const input = () => (existsSync(written) ? (JSON.parse(readFileSync(written, 'utf8')) as JsonObject) : undefined);
	return {...hooks, replies, input};
}

const asked = {
	id: 'per_1',
	sessionID: 'ses_1',
	permission: 'bash',
	patterns: ['npm test'],
	metadata: {},
	tool: {callID: 'call_1'},
};

test('the plugin sends the whole call to the hook command and replies what that says', async () => {
	const plugin = await loadPlugin(`process.stdout.write('{"reply":"once"}');`);
	await plugin['tool.execute.before'](
		{tool: 'bash', callID: 'call_1'},
		{args: {command: 'npm test', description: 'Tests'}},
	);
	await plugin.event({event: {type: 'permission.asked', properties: asked}});
	await expect.poll(() => plugin.replies).toEqual([{requestID: 'per_1', reply: 'once', message: undefined}]);
	const payload = plugin.input() ?? expect.unreachable('the hook got nothing');
	expect(callerOf(payload)).toBe(hookPrograms.opencode);
	expect(hookPrograms.opencode.read(payload)).toEqual({
		kind: 'call',
		call: {
			event: 'permission.asked',
			tool: 'bash',
			input: {command: 'npm test', description: 'Tests'},
			cwd: '/srv/app',
			session: 'ses_1',
			toolUseId: 'per_1',
			mode: 'asks',
		},
	});
});

test('a permission that is not the tool itself is asked about by its own name', async () => {
	const plugin = await loadPlugin(`process.stdout.write('{"reply":"reject","message":"no"}');`);
	await plugin['tool.execute.before']({tool: 'bash', callID: 'call_1'}, {args: {command: 'ls /etc'}});
	const outside = {...asked, permission: 'external_directory', patterns: ['/etc'], metadata: {parentDir: '/etc'}};
	await plugin.event({event: {type: 'permission.asked', properties: outside}});
	await expect.poll(() => plugin.replies).toEqual([{requestID: 'per_1', reply: 'reject', message: 'no'}]);
	expect(plugin.input()).toMatchObject({
		tool_name: 'external_directory',
		tool_input: {parentDir: '/etc', patterns: ['/etc']},
	});
});

test.each([
	['says nothing', ''],
	['fails', `process.stdout.write('{"reply":"once"}'); process.exitCode = 2;`],
	['prints no JSON', `process.stdout.write('yes');`],
])('a hook command that %s leaves the dialog to the person', async (_, script) => {
	const plugin = await loadPlugin(
		`if (JSON.parse(text).tool_use_id === 'per_2') process.stdout.write('{"reply":"once"}'); else { ${script} }`,
	);
	await plugin.event({event: {type: 'permission.asked', properties: asked}});
	await expect.poll(plugin.input).toBeDefined();
	await plugin.event({event: {type: 'permission.asked', properties: {...asked, id: 'per_2'}}});
	await expect.poll(() => plugin.replies).toEqual([{requestID: 'per_2', reply: 'once', message: undefined}]);
});

test('an answer in the dialog of opencode ends the hook command', async () => {
	const marker = join(temporaryDirectory(), 'ended');
	const plugin = await loadPlugin(
		`process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); process.exit(0); }); setInterval(() => undefined, 1000);`,
	);
	await plugin.event({event: {type: 'permission.asked', properties: asked}});
	await expect.poll(plugin.input).toBeDefined();
	await plugin.event({event: {type: 'permission.replied', properties: {requestID: 'per_1', reply: 'once'}}});
	await expect.poll(() => existsSync(marker)).toBe(true);
	expect(plugin.replies).toEqual([]);
});
