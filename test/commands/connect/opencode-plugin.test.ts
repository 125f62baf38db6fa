import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test, vi} from 'vitest';
import {openCodePlugin, pluginWords} from '../../../source/config/programs/opencode-plugin.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {openHome} from './connect-fixture.ts';

type Server = {
	readonly event: (input: object) => Promise<void>;
	readonly 'tool.execute.before': (input: object, output: object) => Promise<void>;
};
type Plugin = {
	readonly id: string;
	readonly server: (input: object) => Promise<Server>;
	readonly setup: (context: object) => Promise<void>;
};

/** The plugin as opencode loads it, with a hook that keeps its input and answers `answer`; without one it waits. */
async function loadPlugin(answer: string | undefined) {
	const directory = temporaryDirectory();
	const input = join(directory, 'input');
	const script = `const {writeFileSync} = require('node:fs');
let text = '';
process.stdin.on('data', part => (text += part)).on('end', () => {
	writeFileSync(${JSON.stringify(input)}, text);
	${answer === undefined ? 'setInterval(() => {}, 1000);' : `process.stdout.write(${JSON.stringify(answer)});`}
});
process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(join(directory, 'killed'))}, ''); process.exit(1); });`;
	writeFileSync(join(directory, 'hook.cjs'), script);
	const file = join(directory, 'sluice.mjs');
	writeFileSync(file, openCodePlugin([process.execPath, join(directory, 'hook.cjs'), 'hook', 'opencode']));
	const {default: plugin} = (await import(pathToFileURL(file).href)) as {readonly default: Plugin};
	return {
		plugin,
		directory,
		isKilled: () => existsSync(join(directory, 'killed')),
		isStarted: () => existsSync(input),
		input: () => JSON.parse(readFileSync(input, 'utf8')) as unknown,
	};
}

const asked = {
	id: 'per_1',
	sessionID: 'ses_1',
	permission: 'bash',
	patterns: ['ls *'],
	metadata: {},
	tool: {callID: 'c1'},
};

describe('the plugin of opencode', () => {
	test('gives the hook the call that the question is about, and its answer to version 1', async () => {
		const {plugin, directory, input} = await loadPlugin('{"reply": "once"}');
		const replied = vi.fn();
		const client = {postSessionIdPermissionsPermissionId: replied};
		const server = await plugin.server({client, directory});
		await server['tool.execute.before']({tool: 'bash', callID: 'c1'}, {args: {command: 'ls -l'}});
		await server.event({event: {type: 'permission.asked', properties: asked}});
		await vi.waitFor(() => expect(replied).toHaveBeenCalledOnce());
		expect(replied).toHaveBeenCalledWith({path: {id: 'ses_1', permissionID: 'per_1'}, body: {response: 'once'}});
		expect(input()).toEqual({
			hook_event_name: 'permission.asked',
			session_id: 'ses_1',
			tool_use_id: 'per_1',
			cwd: directory,
			tool_name: 'bash',
			tool_input: {command: 'ls -l'},
		});
	});

	test('follows the events of version 2', async () => {
		const {plugin, directory, input} = await loadPlugin('{"reply": "reject", "message": "no"}');
		const replied = vi.fn();
		async function* subscribe() {
			yield await Promise.resolve({type: 'server.heartbeat', data: {}});
			yield {
				type: 'permission.v2.asked',
				data: {id: 'per_2', sessionID: 'ses_2', action: 'shell', resources: ['rm x']},
			};
		}

		await plugin.setup({location: {directory}, permission: {reply: replied}, event: {subscribe}});
		await vi.waitFor(() => expect(replied).toHaveBeenCalledOnce());
		expect(replied).toHaveBeenCalledWith({sessionID: 'ses_2', requestID: 'per_2', reply: 'reject', message: 'no'});
		expect(input()).toMatchObject({tool_name: 'shell', tool_input: {patterns: ['rm x']}});
	});

	test.each(['', 'not JSON', '{"reply": "always"}', '[]'])(
		'leaves the question to opencode when the hook says %j',
		async text => {
			const {plugin, directory, isStarted} = await loadPlugin(text);
			const replied = vi.fn();
			const server = await plugin.server({client: {permission: {reply: replied}}, directory});
			await server.event({event: {type: 'permission.asked', properties: asked}});
			await vi.waitFor(() => expect(isStarted()).toBe(true));
			await server.event({event: {type: 'permission.asked', properties: {...asked, id: 'per_3'}}});
			expect(replied).not.toHaveBeenCalled();
		},
	);

	test('ends the hook of a question that was answered in opencode', async () => {
		const {plugin, directory, isStarted, isKilled} = await loadPlugin(undefined);
		const server = await plugin.server({client: {}, directory});
		await server.event({event: {type: 'permission.asked', properties: asked}});
		await vi.waitFor(() => expect(isStarted()).toBe(true));
		await server.event({event: {type: 'permission.replied', properties: {requestID: 'per_1'}}});
		await vi.waitFor(() => expect(isKilled()).toBe(true));
	});

	test('is written with the command of this Sluice, replaced when that moves, and removed', async () => {
		const {connect, read, write, has, home} = openHome();
		const file = '.config/opencode/plugins/sluice.js';
		const {code, stderr} = await connect('opencode', '--hook', '--yes');
		expect([code, stderr]).toEqual([0, expect.stringContaining('the question stays in opencode')]);
		const words = pluginWords(read(file));
		expect(words?.slice(-4)).toEqual(['--home', home, 'hook', 'opencode']);
		const written = read(file);
		write(file, written.replace(/^const words = .*$/mu, 'const words = ["/old/sluice","hook","opencode"];'));
		expect((await connect('opencode', '--yes')).stdout).toContain('Updated opencode');
		expect(read(file)).toBe(written);
		write(file, `${written}// mine\n`);
		await connect('opencode', '--remove', '--yes');
		expect(has(file)).toBe(false);
	});
});
