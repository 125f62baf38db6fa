import {createServer} from 'node:http';
import {describe, expect, test} from 'vitest';
import {createListModels, localServers} from '../../../source/agent/models/local-models.ts';
import {chooseModel, type ModelChoice, modelStateEvent} from '../../../source/agent/models/model-choice.ts';
import {createModels, type ModelsOptions} from '../../../source/agent/models/models.ts';
import {type ModelConfig} from '../../../source/config/read/model-config.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {listen} from '../../helpers/loopback.ts';

type Variables = Readonly<Record<string, string>>;

const scopeOf = (variables: Variables) => ({
	variables: (name: string) => variables[name],
	expand: (text: string) => text.replaceAll(/\$\{(\w+)\}/gu, (whole, name: string) => variables[name] ?? whole),
});

describe('the choice of a model', () => {
	test.each<[string, ModelConfig, Variables, object]>([
		['none is none', {provider: 'none'}, {OPENAI_API_KEY: 'k'}, {kind: 'none', why: 'model.provider is none'}],
		[
			'a configured provider comes first',
			{provider: 'google', name: 'g', apiKey: '${KEY}'},
			{KEY: 'mine', ANTHROPIC_API_KEY: 'k'},
			{kind: 'model', provider: 'google', name: 'g', apiKey: 'mine', source: 'config'},
		],
		[
			'its key may stand in its variable',
			{provider: 'openai'},
			{OPENAI_API_KEY: 'k'},
			{kind: 'model', provider: 'openai', apiKey: 'k', baseUrl: 'https://api.openai.com/v1'},
		],
		[
			'without a key it is broken',
			{provider: 'anthropic'},
			{},
			{kind: 'broken', why: 'anthropic needs a key: set `model.api_key` or the variable ANTHROPIC_API_KEY'},
		],
		[
			'a reference to nothing is no key',
			{provider: 'openai', apiKey: '${GONE}'},
			{OPENAI_API_KEY: 'k'},
			{kind: 'broken'},
		],
		['an address of its own is needed', {provider: 'openai-compatible', name: 'x'}, {}, {kind: 'broken'}],
		['an address must be one', {provider: 'openai-compatible', name: 'x', baseUrl: 'file:///x'}, {}, {kind: 'broken'}],
		[
			'an address alone is a compatible server',
			{provider: 'auto', baseUrl: 'http://h/v1', name: 'x'},
			{ANTHROPIC_API_KEY: 'k'},
			{kind: 'model', provider: 'openai-compatible', baseUrl: 'http://h/v1', why: 'model.base_url is set'},
		],
		['an address without a name is asked', {provider: 'auto', baseUrl: 'http://h/v1'}, {}, {kind: 'ask-address'}],
		['a key without a provider is broken', {provider: 'auto', apiKey: 'k'}, {}, {kind: 'broken'}],
		[
			'keys follow, Anthropic first',
			{provider: 'auto'},
			{GEMINI_API_KEY: 'g', OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a'},
			{kind: 'model', provider: 'anthropic', apiKey: 'a', source: 'environment', why: 'ANTHROPIC_API_KEY is set'},
		],
		['then OpenAI', {provider: 'auto'}, {GEMINI_API_KEY: 'g', OPENAI_API_KEY: 'o'}, {provider: 'openai'}],
		['then OpenRouter', {provider: 'auto'}, {GEMINI_API_KEY: 'g', OPENROUTER_API_KEY: 'r'}, {provider: 'openrouter'}],
		['then Google', {provider: 'auto'}, {GOOGLE_GENERATIVE_AI_API_KEY: 'g'}, {provider: 'google', apiKey: 'g'}],
		['a name alone goes to the key that is there', {provider: 'auto', name: 'x'}, {OPENAI_API_KEY: 'o'}, {name: 'x'}],
		['then the machine is asked', {provider: 'auto'}, {}, {kind: 'ask-machine'}],
	])('%s', (...[, config, variables, choice]) => {
		expect(chooseModel(config, scopeOf(variables))).toMatchObject(choice);
	});
});

/** Models over servers of this machine that list these names; undefined does not answer. */
function openModels(lists: ReadonlyArray<readonly string[] | undefined>, config: Partial<ModelConfig> = {}) {
	const clock = createFakeClock();
	const told: ModelChoice[] = [];
	const asked: string[] = [];
	const servers = lists.map((_, index) => ({
		label: `Server ${index}`,
		listUrl: `http://127.0.0.1:${index}/list`,
		baseUrl: `http://127.0.0.1:${1000 + index}/v1`,
	}));
	const current = {model: {provider: 'auto', ...config} as ModelConfig};
	const options: ModelsOptions = {
		clock,
		config: () => current,
		scope: scopeOf({}),
		async listModels(url) {
			asked.push(url);
			return lists[servers.findIndex(server => server.listUrl === url)];
		},
		chosen: choice => told.push(choice),
		servers,
	};
	return {clock, told, asked, current, models: createModels(options)};
}

describe('the servers of this machine', () => {
	test('nothing is asked before the first question', () => {
		expect(openModels([['a']]).asked).toEqual([]);
	});

	test('the first with a model wins, and the choice says which it is', async () => {
		const {models, told} = openModels([undefined, [], ['tiny', 'large'], ['other']]);
		const choice = await models.ofRuns();
		expect(choice).toMatchObject({
			provider: 'openai-compatible',
			name: 'tiny',
			source: 'local',
			why: 'Server 2 answers on 127.0.0.1:1002',
		});
		expect(told).toEqual([choice]);
	});

	test('a configured name is looked for among their models', async () => {
		const {models} = openModels([['tiny'], ['other', 'mine']], {name: 'mine'});
		expect(await models.ofRuns()).toMatchObject({name: 'mine', baseUrl: 'http://127.0.0.1:1001/v1'});
	});

	test('the choice is kept until the configuration changes', async () => {
		const {models, asked, told, current} = openModels([['tiny']]);
		await models.ofRuns();
		await models.ofRuns();
		expect(asked).toHaveLength(1);
		current.model = {provider: 'none'};
		models.forget();
		expect(await models.ofRuns()).toMatchObject({kind: 'none'});
		expect(told).toHaveLength(2);
	});

	test('is chosen again after a minute without one', async () => {
		const {models, asked, clock} = openModels([undefined]);
		expect(await models.ofRuns()).toEqual({
			kind: 'none',
			why: 'the environment has no key of a provider, and this machine runs no model server',
		});
		await clock.advance(59_999);
		await models.ofRuns();
		expect(asked).toHaveLength(1);
		await clock.advance(1);
		await models.ofRuns();
		expect(asked).toHaveLength(2);
	});

	test('a choice that was forgotten while it was made is not published', async () => {
		const {models, told} = openModels([['tiny']]);
		const old = models.ofRuns();
		models.forget();
		await Promise.all([old, models.ofRuns()]);
		expect(told).toHaveLength(1);
	});

	test('only loopback is ever asked', () => {
		expect(localServers.map(({listUrl}) => new URL(listUrl).hostname)).toEqual(Array(4).fill('127.0.0.1'));
	});
});

describe('a configured address without a name', () => {
	const config = {baseUrl: 'http://h/v1'};

	test('counts as a model before it was asked, and not after it listed none', async () => {
		const {models} = openModels([], config);
		expect(models.isKnown()).toBe(true);
		expect(await models.ofRuns()).toMatchObject({kind: 'broken'});
		expect(models.isKnown()).toBe(false);
	});

	test('that does not answer is asked again after a minute', async () => {
		const {models, asked, clock} = openModels([], config);
		await models.ofRuns();
		await clock.advance(59_999);
		await models.ofRuns();
		expect(asked).toHaveLength(1);
		await clock.advance(1);
		await models.ofRuns();
		expect(asked).toEqual(['http://h/v1/models', 'http://h/v1/models']);
	});
});

describe('a list of models', () => {
	async function listFrom(
		answer: (respond: (body: string, status?: number) => void) => void,
		place?: 'guessed' | 'configured',
	) {
		const server = createServer((_, response) => answer((body, status = 200) => response.writeHead(status).end(body)));
		const clock = createFakeClock();
		const names = createListModels(clock)(await listen(server, '/'), {place});
		return {clock, names};
	}

	test.each<[string, string, readonly string[] | undefined]>([
		['of Ollama', '{"models":[{"name":"llama"},{"name":"nomic-embed-text"}]}', ['llama']],
		['of Chat Completions', '{"data":[{"id":"tiny"}]}', ['tiny']],
		['of another shape', '{"hello":"world"}', undefined],
		['that is not JSON', '<html>', undefined],
	])('%s is read', async (_what, body, names) => {
		const list = await listFrom(respond => respond(body));
		expect(await list.names).toEqual(names);
	});

	test('that comes with an error status counts as absent', async () => {
		const {names} = await listFrom(respond => respond('{"data":[{"id":"x"}]}', 500));
		expect(await names).toBeUndefined();
	});

	test('that does not arrive within 300 ms counts as absent', async () => {
		const {clock, names} = await listFrom(() => undefined);
		await clock.advance(300);
		expect(await names).toBeUndefined();
	});

	test('of a configured address has 5 s', async () => {
		const ends: unknown[] = [];
		const {clock, names} = await listFrom(() => undefined, 'configured');
		void names.then(list => ends.push(list));
		await clock.advance(4999);
		expect(ends).toEqual([]);
		await clock.advance(1);
		expect(await names).toBeUndefined();
	});
});

test.each<[ModelChoice, object]>([
	[
		{kind: 'model', provider: 'openai', name: 'x\u001B', baseUrl: 'u', apiKey: 'secret', source: 'config', why: 'y'},
		{type: 'model.state', provider: 'openai', model: 'x␛', source: 'config', reason: 'y'},
	],
	[
		{kind: 'none', why: 'n'},
		{type: 'model.state', provider: 'none', source: 'none', reason: 'n'},
	],
	[
		{kind: 'broken', why: 'b'},
		{type: 'model.state', provider: 'none', source: 'config', reason: 'b'},
	],
])('the event of %j does not contain the key', (choice, event) => {
	expect(modelStateEvent(choice)).toEqual(event);
});
