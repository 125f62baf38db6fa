import {expect, test} from 'vitest';
import {fixtureArguments} from '../../helpers/fixture-program.ts';
import {runGateway} from '../../helpers/running-gateway.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const form = {
	method: 'elicitation/create',
	params: {
		mode: 'form',
		message: 'Where to?',
		requestedSchema: {type: 'object', properties: {city: {type: 'string', minLength: 2}}, required: ['city']},
	},
};

/** A gateway with an open console, at which a server asks for a city. */
async function openQuestion() {
	const home = temporaryDirectory();
	const asking = {command: process.execPath, args: fixtureArguments('mcp-asking.ts'), trust: 'full'};
	const {gateway, eventWhere} = await runGateway(
		JSON.stringify({gateway: {endpoint: {port: 0}}, mcp_servers: {asking}}),
		home,
	);
	gateway.openDecidingConsole();
	await eventWhere(event => event.type === 'server.state' && event.state === 'connected');
	gateway.send({
		method: 'mcp.call',
		params: {name: 'mcp__asking__ask', arguments: form, approve: false},
		requestId: 'r',
	});
	const asked = await eventWhere(event => event.type === 'question.asked');
	const settled = () => eventWhere(event => event.type === 'question.settled');
	return {run: (...words: readonly string[]) => runSluice({home}, ...words), asked, settled};
}

test('a question is listed with its form, and answered with values that the gateway holds to it', async () => {
	const {run, asked, settled} = await openQuestion();
	const id = 'id' in asked ? asked.id : '';
	expect(JSON.parse((await run('questions', 'list', '--json')).stdout)).toMatchObject([
		{
			id,
			kind: 'elicitation',
			asker: 'asking',
			message: 'Where to?',
			fields: [{name: 'city', kind: 'text', required: true, minimum_length: 2}],
		},
	]);
	expect(await run('questions', 'answer', id)).toMatchObject({code: 2, stderr: expect.stringContaining('--values')});
	const answer = ['questions', 'answer', id.slice(-8), '--values'];
	expect(await run(...answer, '{"city":"x"}')).toMatchObject({code: 1, stderr: expect.stringContaining('do not fit')});
	expect(await run(...answer, '{"city":"Oslo"}')).toMatchObject({code: 0, stderr: 'Answered.\n'});
	expect(await settled()).toMatchObject({outcome: 'answered', by: 'cli'});
	const late = {code: 1, stderr: expect.stringContaining('is no longer waiting: it was answered by cli')};
	expect(await run(...answer, '{"city":"Rome"}')).toMatchObject(late);
	const shown = await run('questions', 'answer', id, '--json');
	expect(shown).toMatchObject(late);
	expect(JSON.parse(shown.stdout)).toEqual({
		id,
		answer: 'already-settled',
		problem: null,
		end: {outcome: 'answered', by: 'cli'},
	});
	expect(await run('questions', 'list', '--json')).toMatchObject({code: 0, stdout: '[]\n'});
});

test.each([
	['--decline', 'declined'],
	['--cancel', 'cancelled'],
] as const)('%s ends a question as %s', async (flag, outcome) => {
	const {run, asked, settled} = await openQuestion();
	expect(await run('questions', 'answer', 'id' in asked ? asked.id : '', flag)).toMatchObject({code: 0});
	expect(await settled()).toMatchObject({outcome, by: 'cli'});
});

test.each([
	['--values', '[]'],
	['--values', '{"city": 1E400}'],
	['--values', '{"city": "a", "city": "b"}'],
	['--decline', '--cancel'],
])('%s %s is not understood', async (...flags) => {
	expect(await runSluice({home: temporaryDirectory()}, 'questions', 'answer', '0000', ...flags)).toMatchObject({
		code: 2,
	});
});
