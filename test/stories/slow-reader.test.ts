import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, openSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {aroundEach, describe, expect, test} from 'vitest';
import {openJournal} from '../../source/journal/open-journal.ts';
import {systemClock} from '../../source/util/clock.ts';
import {sampleEvent} from '../helpers/journal-records.ts';
import {listen} from '../helpers/loopback.ts';
import {inOwnContext} from '../helpers/on-test-finished.ts';
import {pipeBytes, pipeSluice} from '../helpers/piped-sluice.ts';
import {nodeFlags, numberOf, program, stateDirectory} from '../helpers/sluice.ts';
import {answerJson} from '../mcp/fixture-servers.ts';
import {post, webhookPlatform} from './sender.ts';

/** Four times what the pipe holds. */
const muchBytes = 4 * pipeBytes;
const toolCount = 2500;
const eventCount = 2500;

aroundEach(inOwnContext);

/** A tool server with many tools, whose answers are long. */
async function startLongWinded() {
	const tools = Array.from({length: toolCount}, (_, index) => ({
		name: `tool_${String(index).padStart(5, '0')}`,
		description: `number ${index} ${'of many '.repeat(16)}`,
		inputSchema: {type: 'object'},
		annotations: {readOnlyHint: true},
	}));
	const text = `${'a line of an answer\n'.repeat(20_000)}the end`;
	let isError = false;
	const server = createServer((request, response) => {
		const results = {'tools/list': {tools}, 'tools/call': {content: [{type: 'text', text}], isError}};
		void answerJson(request, response, {results});
	});
	const home = stateDirectory({mcp_servers: {long: {url: await listen(server, '/mcp'), trust: 'full'}}});
	return {home, failFromNowOn: () => void (isError = true)};
}

/** A state directory whose journal holds many events. */
async function homeWithEvents(): Promise<string> {
	const home = stateDirectory({});
	const journal = openJournal({
		path: join(home, 'journal.db'),
		clock: systemClock,
		limits: () => ({maxAgeDays: 30, maxBytes: 2 ** 30}),
	});
	for (let count = 0; count < eventCount; count++) {
		journal.recordEvent(sampleEvent({time: Date.now() - count, reason: 'because '.repeat(8)}));
	}

	await journal.close();
	return home;
}

const longWinded = async () => (await startLongWinded()).home;
const isDocument = (text: string) => JSON.parse(text) !== undefined;
const call = ['mcp', 'call', 'mcp__long__tool_00000'];
const events = ['events', 'list', '--limit', String(eventCount)];

describe('a slow reader of a pipe gets all of', () => {
	test.each([
		{open: longWinded, words: ['mcp', 'tools', '--json'], isWhole: isDocument},
		{
			open: longWinded,
			words: ['mcp', 'tools'],
			isWhole: (text: string) => text.match(/^\S*tool_\d{5}/gmu)?.length === toolCount,
		},
		{open: longWinded, words: [...call, '--json'], isWhole: isDocument},
		{open: longWinded, words: call, isWhole: (text: string) => text.endsWith('the end\n')},
		{open: homeWithEvents, words: [...events, '--json'], isWhole: isDocument},
		{open: homeWithEvents, words: events, isWhole: (text: string) => text.split('\n').length === eventCount + 2},
	])('$words', async ({open, words, isWhole}) => {
		const command = pipeSluice({home: await open()}, 'stdout', ...words);
		const first = await command.read(1);
		const text = `${first}${await command.readAll()}`;
		expect(await command.end).toEqual({code: 0, other: ''});
		expect(text.length).toBeGreaterThan(muchBytes);
		expect(isWhole(text)).toBe(true);
	});

	test.concurrent.each([
		{words: ['mcp', 'call', 'mcp__a__b'], code: 1, message: 'unknown_tool'},
		{words: ['mcp', 'lst'], code: 2, message: 'did you mean'},
		{words: ['mcp', '--yes=maybe'], code: 2, message: '--yes cannot be "maybe"'},
	])('stderr of $words', async ({words, code, message}) => {
		const command = pipeSluice({home: stateDirectory({})}, 'full stderr', ...words);
		// The reader comes when the program only waits.
		await Promise.race([command.end, command.untilIdle()]);
		const text = await command.readAll();
		expect([await command.end, text.slice(pipeBytes)]).toEqual([{code, other: ''}, expect.stringContaining(message)]);
	});
});

describe('a reader that goes away early', () => {
	test.each([0, 1])('is no failure: the exit code is that of the command (%i)', async code => {
		const {home, failFromNowOn} = await startLongWinded();
		if (code === 1) {
			failFromNowOn();
		}

		const command = pipeSluice({home}, 'stdout', ...call, '--json');
		expect(await command.read(10)).toBe('{\n  "' + (code === 0 ? 'resul' : 'error'));
		command.leave();
		expect(await command.end).toEqual({code, other: ''});
	});

	test('may be gone before the first word', async () => {
		const command = pipeSluice({home: await longWinded()}, 'stdout', ...call);
		command.leave();
		expect(await command.end).toEqual({code: 0, other: ''});
	});
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends a command whose reader takes nothing', async signal => {
	const command = pipeSluice({home: await longWinded()}, 'stdout', ...call);
	// The answer is there, and most of it waits.
	await command.read(1);
	command.signal(signal);
	expect(await command.end).toEqual({code: 128 + numberOf(signal), other: ''});
});

test('a gateway whose reader takes nothing drains at SIGTERM and ends with 0', async () => {
	const home = stateDirectory(webhookPlatform({issues: {}}, {rate_limit: 100_000}));
	const gateway = pipeSluice({home}, 'stdout', 'gateway', 'run', '--log', 'json');
	let output = '';
	while (!output.includes('"gateway.started"')) {
		output += await gateway.read(4096);
	}

	const base = /"webhook_url":"(?<url>[^"]+)"/u.exec(output)?.groups?.['url'] ?? '';
	for (let count = 0; count < 8; count++) {
		await Promise.all(
			Array.from({length: 30}, (_, index) => post(base, {id: `${count}-${index}`, payload: {event_type: 'ping'}})),
		);
	}

	gateway.signal('SIGTERM');
	expect(await gateway.end).toEqual({code: 0, other: ''});
	// It had more to say than the pipe holds.
	expect((await gateway.readAll()).length).toBeGreaterThan(pipeBytes - 8192);
});

test.each([
	{file: '/dev/full', ending: [1, 'sluice: The output could not be written (ENOSPC)\n']},
	{file: '/dev/null', ending: [0, '']},
])('output into $file ends with $ending', async ({file, ending}) => {
	const descriptor = openSync(file, 'w');
	const child = spawn(process.execPath, [...nodeFlags, program, '--help'], {stdio: ['ignore', descriptor, 'pipe']});
	closeSync(descriptor);
	let stderr = '';
	child.stderr?.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
	const [code] = await once(child, 'close');
	expect([code, stderr]).toEqual(ending);
});
