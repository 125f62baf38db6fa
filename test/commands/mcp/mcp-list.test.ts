import {type ServerJson} from '../../../source/state/json/server.ts';
import {describe, expect, test} from 'vitest';
import {runMcpList} from '../../../source/commands/mcp/mcp-list.ts';
import {Problem} from '../../../source/util/problem.ts';
import {startControl} from '../../control/control-fixture.ts';
import {openContext, ownCore} from '../command-fixture.ts';

const garden: ServerJson = {
	name: 'garden',
	profile: 'default',
	transport: 'stdio',
	state: 'failed',
	reason: 'Not found: \u001B[31mevil',
	next_action: 'x to disable',
	tools: 3,
	trust: 'untrusted',
	era: null,
	protocol_version: null,
	latency_ms: null,
	stderr: [],
	log: null,
	file_variables: [],
	tokens: 321,
	tokens_by_client: {default: 321, laptop: 0},
	tokenizer: 'o200k_base of gpt-tokenizer',
};

describe('sluice mcp list', () => {
	test('asks the running gateway and starts no servers of its own', async () => {
		const {path} = await startControl({'mcp.list': () => [garden]});
		const core = ownCore({});
		const {context, stdout} = openContext({controlSocket: path, flags: {json: true}});
		expect(await runMcpList(context, core.open)).toBe(0);
		expect([JSON.parse(stdout()), core.opened()]).toEqual([[garden], 0]);
	});

	test('starts the servers itself when no gateway runs, and closes them', async () => {
		const core = ownCore({'mcp.list': async () => [garden]});
		const {context, stdout} = openContext({flags: {json: true}});
		expect(await runMcpList(context, core.open)).toBe(0);
		expect([JSON.parse(stdout()), core.closed()]).toEqual([[garden], 1]);
	});

	test('prints a table in which foreign text commands nothing', async () => {
		const {context, stdout} = openContext();
		await runMcpList(context, ownCore({'mcp.list': async () => [garden]}).open);
		expect(stdout().split('\n')).toEqual([
			'SERVER  STATE   TOOLS  TOKENS  TRUST      TRANSPORT  REASON',
			'garden  failed  3      321     untrusted  stdio      Not found: ␛[31mevil · x to disable',
			'Their definitions cost a model 321 tokens, by o200k_base of gpt-tokenizer. By client: default 321, laptop 0',
			'',
		]);
	});

	test('what a cell would cut before the command it names stands below the row, with the end of stderr', async () => {
		const {context, stdout} = openContext();
		const reason = `The server ended with code 1 ${'and said so '.repeat(6)}`.trim();
		const failed = {
			...garden,
			reason,
			next_action: '`sluice mcp reconnect garden` tries now',
			stderr: ['a', 'No key'],
			log: '/l',
		};
		await runMcpList(
			{...context, nameCommands: text => text.replace('`sluice', '`sluice --home /h')},
			ownCore({'mcp.list': async () => [failed, {...garden, reason: null}]}).open,
		);
		expect(stdout().split('\n').slice(1)).toEqual([
			expect.stringMatching(/^garden +failed +3 .*The server ended with code 1 .*… 20 more$/u),
			`  reason: ${reason}`,
			'  next: `sluice --home /h mcp reconnect garden` tries now',
			'  │ No key',
			'  log: /l',
			expect.stringMatching(/^garden +failed .*x to disable$/u),
			expect.stringContaining('Their definitions cost a model 642 tokens'),
			'',
		]);
	});

	test('names the profiles when there is more than one', async () => {
		const {context, stdout} = openContext();
		const work = {...garden, profile: 'work', reason: null, next_action: null};
		await runMcpList(context, ownCore({'mcp.list': async () => [{...work, profile: 'default'}, work]}).open);
		expect(stdout()).toMatch(/^PROFILE +SERVER .*\ndefault +garden .*\nwork +garden /u);
	});

	test('prints an empty list as JSON', async () => {
		const {context, stdout} = openContext({flags: {json: true}});
		await runMcpList(context, ownCore({}).open);
		expect(JSON.parse(stdout())).toEqual([]);
	});

	test('says on stderr that there are none', async () => {
		const {context, stdout, stderr} = openContext();
		await runMcpList(context, ownCore({}).open);
		expect([stdout(), stderr()]).toEqual(['', expect.stringContaining('No tool servers')]);
	});

	test('fails with code 1 and a remedy', async () => {
		const {context, stderr} = openContext();
		const core = ownCore({'mcp.list': () => Promise.reject(new Problem('config_syntax', {message: 'line 3'}))});
		expect([await runMcpList(context, core.open), stderr()]).toEqual([
			1,
			'sluice: line 3\n        Correct the file at the named line and column, and save it\n',
		]);
	});

	test('closes what it opened when it fails', async () => {
		const core = ownCore({'mcp.list': () => Promise.reject(new Error('broken'))});
		await runMcpList(openContext().context, core.open);
		expect(core.closed()).toBe(1);
	});

	test('refuses words it does not know with code 2', async () => {
		const {context} = openContext({arguments: ['garden']});
		expect(await runMcpList(context, ownCore({}).open)).toBe(2);
	});
});
