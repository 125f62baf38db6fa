import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {sluice, sluiceJson, startSluice, stateDirectory} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** The program of a server that others publish, as npx would start it. */
function published(name: string): string {
	const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`);
	return join(dirname(manifest), 'dist', 'index.js');
}

/** A gateway with the three servers people try first. */
async function openGateway() {
	const folder = temporaryDirectory();
	const home = stateDirectory({
		mcp_servers: {
			everything: {command: process.execPath, args: [published('server-everything')]},
			files: {command: process.execPath, args: [published('server-filesystem'), folder], trust: 'untrusted'},
			memory: {
				command: process.execPath,
				args: [published('server-memory')],
				env: {MEMORY_FILE_PATH: join(folder, 'memory.json')},
			},
		},
	});
	const gateway = startSluice({home}, 'gateway', 'run');
	await Promise.all(['everything', 'files', 'memory'].map(name => gateway.waitForLine(`${name} connected`)));
	const call = (tool: string, args: object, ...flags: readonly string[]) =>
		sluice({home}, 'mcp', 'call', tool, '--args', JSON.stringify(args), ...flags);
	return {home, folder, call};
}

test('server-everything, server-filesystem and server-memory do what they are asked', async () => {
	const {home, folder, call} = await openGateway();
	const file = join(folder, 'note.txt');
	const [sum, structured, picture, denied, written, remembered] = await Promise.all([
		call('mcp__everything__get_sum', {a: 2, b: 3}),
		call('mcp__everything__get_structured_content', {location: 'New York'}, '--json'),
		call('mcp__everything__get_tiny_image', {}),
		call('mcp__files__write_file', {path: join(folder, 'never.txt'), content: 'no'}),
		call('mcp__files__write_file', {path: file, content: 'from Sluice'}, '--approve'),
		call('mcp__memory__create_entities', {
			entities: [{name: 'Ada', entityType: 'person', observations: ['writes']}],
		}),
	]);
	expect(sum).toMatchObject({code: 0, stdout: expect.stringContaining('5')});
	expect(JSON.parse(structured.stdout)).toMatchObject({result: expect.stringContaining('temperature')});
	const saved = /\/\S+\.png/u.exec(picture.stdout)?.[0] ?? '';
	expect(readFileSync(saved).subarray(1, 4).toString()).toBe('PNG');
	expect(denied).toMatchObject({code: 1, stderr: expect.stringContaining('no_channel')});
	expect(existsSync(join(folder, 'never.txt'))).toBe(false);
	expect([written.code, readFileSync(file, 'utf8')]).toEqual([0, 'from Sluice']);
	expect(remembered.code).toBe(0);

	const [read, graph, tools] = await Promise.all([
		call('mcp__files__read_text_file', {path: file}),
		call('mcp__memory__read_graph', {}),
		sluiceJson({home}, 'mcp', 'tools'),
	]);
	expect(read).toMatchObject({code: 0, stdout: expect.stringContaining('from Sluice')});
	expect(graph.stdout).toContain('Ada');
	expect(tools).toEqual(
		expect.arrayContaining([
			expect.objectContaining({name: 'mcp__files__read_text_file', read_only: true, approval: 'none'}),
			expect.objectContaining({name: 'mcp__files__write_file', read_only: false, approval: 'ask'}),
			expect.objectContaining({name: 'mcp__everything__list_resources'}),
		]),
	);
});
