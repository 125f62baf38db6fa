import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Question, type QuestionOutcome} from '../../../source/approvals/question-queue.ts';
import {builtInTool} from '../../../source/agent/built-ins/built-in-tool.ts';
import {clarify} from '../../../source/agent/built-ins/clarify.ts';
import {toImage} from '../../../source/agent/built-ins/image-file.ts';
import {visionAnalyze} from '../../../source/agent/built-ins/vision-analyze.ts';
import {startModelServer} from '../../simulators/model-server.ts';
import {openTestHold} from '../../helpers/open-hold.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {createUntrustedTexts} from '../../../source/tools/untrusted-texts.ts';
import {openCallFixture} from '../../tools/call-fixture.ts';
import {openAgent} from '../open-agent.ts';

const origin = {kind: 'run', runId: 'run-1', route: 'r', deliveryId: 'd'} as const;
const untrustedTexts = createUntrustedTexts();
const use = {signal: neverAborted(), onWaiting: () => undefined, resume: async () => undefined};

/** One red dot. */
const png = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);

describe('an image is recognised by its bytes', () => {
	test.each<[string, string, string | undefined]>([
		['PNG', '\u0089PNG\r\n\u001A\n....', 'image/png'],
		['JPEG', '\u00FF\u00D8\u00FF\u00E0', 'image/jpeg'],
		['GIF', 'GIF89a....', 'image/gif'],
		['WebP', 'RIFF....WEBPVP8 ', 'image/webp'],
		['SVG', '<svg onload="evil()">', undefined],
		['nothing', '', undefined],
	])('%s', (_name, bytes, type) => {
		expect(toImage(Buffer.from(bytes, 'latin1'))?.mediaType).toBe(type);
	});

	test('more than 5 MB is refused', () => {
		expect(toImage(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))).toBeUndefined();
	});
});

describe('vision_analyze', () => {
	function openEye() {
		const mediaFolder = join(temporaryDirectory(), 'media');
		mkdirSync(mediaFolder);
		const seen: Array<{text: string; mediaType: string}> = [];
		const ask = async (question: {text: string; image: {mediaType: string}}) => {
			seen.push({text: question.text, mediaType: question.image.mediaType});
			return 'A red dot.';
		};
		const fetch = async () => ({status: 200, url: '', contentType: 'text/html', bytes: png});
		const tool = visionAnalyze({fetch, ask, mediaFolder});
		return {seen, mediaFolder, look: async (image: string) => tool.work({image, question: 'What is it?'}, use)};
	}

	test('looks at data, at an address and at what a tool brought', async () => {
		const {look, seen, mediaFolder} = openEye();
		writeFileSync(join(mediaFolder, 'a.png'), png);
		for (const image of [
			`data:image/png;base64,${png.toString('base64')}`,
			'https://h/x',
			join(mediaFolder, 'a.png'),
		]) {
			expect(await look(image)).toBe('A red dot.');
		}

		const one = {text: 'What is it?', mediaType: 'image/png'};
		expect(seen).toEqual([one, one, one]);
	});

	test('no other file of the machine is read, by path or by link', async () => {
		const {look, mediaFolder} = openEye();
		writeFileSync(join(mediaFolder, '..', 'secret.png'), png);
		symlinkSync(join(mediaFolder, '..', 'secret.png'), join(mediaFolder, 'link.png'));
		for (const path of [
			'../secret.png',
			join(mediaFolder, '..', 'secret.png'),
			join(mediaFolder, 'link.png'),
			'/etc/passwd',
			mediaFolder,
		]) {
			await expect(look(path)).rejects.toMatchObject({code: 'invalid_arguments'});
		}
	});

	test('what is no picture is refused', async () => {
		await expect(openEye().look('data:image/png;base64,aGVsbG8=')).rejects.toMatchObject({code: 'invalid_arguments'});
	});

	test('in a run the vision model gets the picture', async () => {
		const image = `data:image/png;base64,${png.toString('base64')}`;
		const eye = await startModelServer('A red dot.');
		const call = {calls: [{name: 'vision_analyze', input: {image, question: 'What is it?'}}]};
		const mind = await startModelServer(call, 'It is a red dot.');
		const model = {provider: 'openai-compatible', name: 'mind', baseUrl: `${mind.url}/v1`} as const;
		const visionModel = {...model, name: 'eye', baseUrl: `${eye.url}/v1`};
		const {answer} = openAgent({model, config: {visionModel}});
		expect((await answer({toolsets: ['vision_analyze']})).text).toBe('It is a red dot.');
		expect(JSON.stringify(eye.requests()[0]?.messages)).toContain(png.toString('base64'));
		expect(JSON.stringify(mind.requests()[1]?.messages)).toContain('A red dot.');
	});
});

describe('clarify', () => {
	function openClarify(outcome: QuestionOutcome) {
		const asked: Question[] = [];
		const waits: string[] = [];
		const tool = clarify({
			ask: async question => {
				asked.push(question);
				return outcome;
			},
			origin,
			timeoutSeconds: 300,
		});
		const options = {...use, onWaiting: (waiting: string) => waits.push(waiting)};
		return {asked, waits, ask: async (input: object) => tool.work({question: 'Which one?', ...input}, options)};
	}

	const answered = (values: Record<string, string>) => ({kind: 'answered', values, by: 'console:1'}) as const;

	test('asks and answers what the person wrote', async () => {
		const {ask, asked, waits} = openClarify(answered({answer: ' the first '}));
		expect(await ask({})).toBe('the first');
		expect(asked).toMatchObject([
			{kind: 'clarify', asker: 'run run-1', message: 'Which one?', fields: [{kind: 'text'}]},
		]);
		expect(waits).toEqual(['answer', 'nothing']);
	});

	test('with options answers the one that was chosen, or other words', async () => {
		const options = ['red\u001B', 'blue'];
		const {ask, asked} = openClarify(answered({choice: '1'}));
		expect(await ask({options})).toBe('blue');
		expect(asked[0]?.fields[0]).toMatchObject({
			options: [
				{value: '0', title: 'red␛'},
				{value: '1', title: 'blue'},
			],
		});
		expect(await openClarify(answered({answer: 'neither'})).ask({options})).toBe('neither');
	});

	test.each<QuestionOutcome>([
		{kind: 'timed_out'},
		{kind: 'no_channel', message: 'nobody'},
		{kind: 'declined', by: 'console:1'},
		{kind: 'cancelled'},
		answered({}),
	])('goes on without an answer when it ends as %j', async outcome => {
		expect(await openClarify(outcome).ask({})).toMatch(/There is no answer\. Decide yourself/u);
	});
});

test('the delivery id of the sender is made safe before a question or an ended call shows it', async () => {
	const call = {calls: [{name: 'clarify', input: {question: 'Which one?'}}]};
	const server = await startModelServer(call, 'Done.');
	const asked: Question[] = [];
	const {answer, ofType} = openAgent({
		model: {provider: 'openai-compatible', name: 'tiny', baseUrl: `${server.url}/v1`},
		askPerson: async question => {
			asked.push(question);
			return {kind: 'cancelled'};
		},
	});
	await answer({toolsets: ['clarify'], deliveryId: 'd\u009B2J'});
	const shown = [{origin: {kind: 'run', deliveryId: 'd‹U+009B›2J'}}];
	expect(asked).toMatchObject(shown);
	expect(ofType('tool.finished')).toMatchObject(shown);
});

test('a built-in that takes too long is an error for the model, and an event like every call', async () => {
	const {clock, ofType, callBuiltIn, calls} = openCallFixture();
	const slow = {
		name: 'web_search',
		description: '',
		inputSchema: {},
		timeoutSeconds: 30,
		work: () => new Promise<never>(() => {}),
	};
	const answer = builtInTool(slow, {clock, origin, callBuiltIn, untrustedTexts}).run({}, use);
	await clock.advance(30_000);
	expect(await answer).toEqual({
		outcome: 'failed',
		text: '{"error":{"code":"call_timeout","message":"web_search took longer than 30 seconds"}}',
	});
	expect(ofType('tool.finished')).toMatchObject([
		{server: 'sluice', tool: 'web_search', outcome: 'failed', ms: 30_000, origin},
	]);
	expect(calls).toMatchObject([{server: 'sluice', tool: 'web_search', origin, readOnly: true}]);
	expect(clock.open()).toBe(0);
});

describe('a rule about a built-in tool', () => {
	const rule = {id: 'r1', source: 'config', server: 'sluice', tool: 'web_search', arguments: {}, ignore: []} as const;
	const search = {
		name: 'web_search',
		description: 'Searches the web.',
		inputSchema: {},
		timeoutSeconds: 30,
		work: async () => 'found',
	};

	test('that denies it is told to the model, and nothing was searched', async () => {
		const deny = {...rule, action: 'deny', reason: 'offline'} as const;
		const {clock, callBuiltIn, ofType} = openCallFixture({ruleList: () => [deny]});
		const work = async () => Promise.reject(new Error('worked'));
		const tool = builtInTool({...search, work}, {clock, origin, callBuiltIn, untrustedTexts});
		const text = '{"error":{"code":"denied","message":"Denied by rule r1: offline"}}';
		expect(await tool.run({}, use)).toEqual({outcome: 'denied', text});
		expect(ofType('tool.finished')).toMatchObject([{server: 'sluice', outcome: 'denied', rule: {id: 'r1'}}]);
	});

	test('that asks has a person asked, who may allow it once', async () => {
		const ask = {...rule, action: 'ask'} as const;
		const {clock, callBuiltIn, approvals, answer} = openCallFixture({ruleList: () => [ask]});
		const waits: string[] = [];
		const onWaiting = (waiting: string) => void waits.push(waiting);
		const tool = builtInTool(search, {clock, origin, callBuiltIn, untrustedTexts});
		const outcome = tool.run({query: 'x'}, {...use, onWaiting});
		await clock.settle();
		expect(approvals.pending()).toMatchObject([
			{server: 'sluice', tool: 'web_search', transport: 'built-in', arguments: {query: 'x'}, rule: {id: 'r1'}},
		]);
		expect(await answer({kind: 'approve', scope: 'run'})).toBe('not-offered');
		await answer({kind: 'approve', scope: 'once'});
		expect(await outcome).toEqual({outcome: 'ok', text: 'found'});
		expect(waits).toEqual(['approval', 'nothing']);
	});

	test('is none while the rules cannot be read: it is refused', async () => {
		const problem = {message: 'config.yaml: unknown key tol'};
		const {clock, callBuiltIn} = openCallFixture({ruleState: () => ({kind: 'invalid', problem})});
		const tool = builtInTool(search, {clock, origin, callBuiltIn, untrustedTexts});
		expect(await tool.run({}, use)).toEqual({outcome: 'failed', text: expect.stringContaining('rules_invalid')});
	});
});

test('a built-in tool waits while everything is held, and its time begins after the release', async () => {
	const hold = openTestHold();
	const {clock, callBuiltIn} = openCallFixture({hold});
	await hold.hold({by: 'cli', reason: ''});
	let worked = 0;
	const quick = {
		name: 'web_search',
		description: '',
		inputSchema: {},
		timeoutSeconds: 30,
		work: async () => `${++worked}`,
	};
	const waits: string[] = [];
	const answer = builtInTool(quick, {clock, origin, callBuiltIn, untrustedTexts}).run(
		{},
		{...use, onWaiting: waiting => waits.push(waiting)},
	);
	await clock.advance(60_000);
	expect([worked, waits]).toEqual([0, ['release']]);
	await hold.release({by: 'cli', hash: hold.current()?.hash ?? ''});
	expect(await answer).toEqual({outcome: 'ok', text: '1'});
	expect(waits).toEqual(['release', 'nothing']);
});

test.each([
	['openai', true],
	['openai-compatible', false],
] as const)('a picture in a tool result reaches %s as a picture: %s', async (provider, reaches) => {
	const call = {calls: [{name: 'mcp__files__draw', input: {}}]};
	const server = await startModelServer(call, 'Nice.');
	const opened = openAgent({
		model: {provider, name: 'tiny', baseUrl: `${server.url}/v1`, apiKey: 'k'},
		tools: {draw: {call: () => ({kind: 'result', result: 'drawn', media: [join(opened.root, 'media', 'a.png')]})}},
	});
	mkdirSync(join(opened.root, 'media'));
	writeFileSync(join(opened.root, 'media', 'a.png'), png);
	const {conversation} = await opened.answer();
	expect(JSON.stringify(server.requests()[1]?.messages).includes(png.toString('base64'))).toBe(reaches);
	expect(conversation).not.toContain(png.toString('base64'));
});
