import {expect, test} from 'vitest';
import {type CallRecord} from '../../source/journal/journal.ts';
import {createUncertainCalls} from '../../source/tools/uncertain-calls.ts';
import {type ToolCall, type ToolOutcome} from '../../source/tools/call-tool.ts';
import {failure} from '../../source/tools/tool-outcome.ts';
import {createCatalogue} from '../../source/tools/catalogue.ts';
import {hashJson} from '../../source/util/json-hash.ts';
import {Problem} from '../../source/util/problem.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {offerOf, serverConfig} from './server-offers.ts';

const record: CallRecord = {
	id: 'first',
	time: 1_700_000_000_000,
	profile: 'default',
	server: 'files',
	tool: 'write',
	arguments: {path: '/a', token: 'shh'},
	origin: {kind: 'command-line'},
};
const end = {outcome: 'outcome_uncertain', code: 'outcome_uncertain', ms: 5} as const;

/** The uncertain calls of a journal that a former process left behind. */
async function openUncertainCalls(
	options: {readonly calls?: readonly CallRecord[]; readonly outcome?: ToolOutcome; readonly offered?: string} = {},
) {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	for (const call of options.calls ?? [record]) {
		await journal.startCall(call);
	}

	const {publish, ofType} = recordEvents();
	const catalogue = createCatalogue(() => ['files']);
	catalogue.register(serverConfig(), offerOf(options.offered ?? 'write'));
	await clock.advance(1);
	const made: ToolCall[] = [];
	const callTool = async (call: ToolCall): Promise<ToolOutcome> => {
		made.push(call);
		return options.outcome ?? {kind: 'result', result: 'done'};
	};

	const uncertain = createUncertainCalls({
		clock,
		publish,
		profile: 'default',
		journal,
		findTool: catalogue.find,
		callTool,
		callWithConsent: callTool,
	});
	return {clock, journal, uncertain, made, ofType};
}

test('a call whose connection was lost waits, its arguments masked', async () => {
	const {journal, clock, uncertain, ofType} = await openUncertainCalls();
	journal.finishCall('first', end);
	await clock.settle();
	await uncertain.recover();
	expect(ofType('call.uncertain')).toEqual([
		{
			type: 'call.uncertain',
			callId: 'first',
			server: 'files',
			tool: 'write',
			registeredName: 'mcp__files__write',
			arguments: {path: '/a', token: '\uD800redacted 3 chars\uDFFF'},
			origin: {kind: 'command-line'},
			at: record.time + 5,
			reason: 'The connection was lost during the call, which may have taken effect',
		},
	]);
});

test('a call that never ended because the gateway did is uncertain too', async () => {
	const {uncertain, ofType} = await openUncertainCalls();
	await uncertain.recover();
	expect(ofType('call.uncertain')).toMatchObject([{reason: 'The gateway stopped during the call'}]);
});

test.each<readonly [string, Partial<CallRecord>]>([
	['of another profile', {profile: 'other'}],
	['that only reads', {readOnly: true}],
	['that began after the gateway did', {time: 1_800_000_000_000}],
])('a call without an end %s does not wait', async (_, members) => {
	const {uncertain, ofType} = await openUncertainCalls({calls: [{...record, ...members}]});
	await uncertain.recover();
	expect(ofType('call.uncertain')).toEqual([]);
});

test('a call with a known end does not wait', async () => {
	const {journal, clock, uncertain, ofType} = await openUncertainCalls();
	journal.finishCall('first', {outcome: 'ok', ms: 1});
	await clock.settle();
	await uncertain.recover();
	expect(ofType('call.uncertain')).toEqual([]);
});

test('a decision is published and stored: after a restart the call waits no more', async () => {
	const {uncertain, ofType} = await openUncertainCalls();
	await uncertain.resolve('first', 'done', 'console:1');
	expect(ofType('call.resolved')).toMatchObject([{callId: 'first', resolution: 'done', by: 'console:1'}]);
	await uncertain.recover();
	expect(ofType('call.uncertain')).toEqual([]);
});

test('the second decision is refused', async () => {
	const {uncertain, ofType} = await openUncertainCalls();
	await uncertain.resolve('first', 'done', 'dashboard');
	await expect(uncertain.resolve('first', 'not_done', 'dashboard')).rejects.toMatchObject({code: 'unknown_call'});
	expect(ofType('call.resolved')).toHaveLength(1);
});

test('repeating makes the same call with the same arguments, after a fresh approval', async () => {
	const {uncertain, made} = await openUncertainCalls();
	await uncertain.repeat('first', 'dashboard');
	expect(made).toEqual([
		{
			name: 'mcp__files__write',
			arguments: {path: '/a', token: 'shh'},
			origin: {kind: 'dashboard', by: 'dashboard'},
			approval: 'fresh',
		},
	]);
});

function failed(code: Extract<ToolOutcome, {kind: 'error'}>['error']['code']): ToolOutcome {
	return failure(new Problem(code));
}

test.each<readonly [ToolOutcome, 'repeated' | undefined]>([
	[{kind: 'result', result: 'done'}, 'repeated'],
	[failed('tool_error'), 'repeated'],
	[failed('outcome_uncertain'), 'repeated'],
	[failed('call_timeout'), 'repeated'],
	[failure(new Problem('cancelled', {isOutcomeUncertain: true})), 'repeated'],
	[failed('cancelled'), undefined],
	[failed('denied'), undefined],
	[failed('timed_out'), undefined],
	[failed('server_unavailable'), undefined],
	[failed('circuit_open'), undefined],
])('after a repetition that ended as %j it is %s', async (outcome, resolution) => {
	const {uncertain, ofType} = await openUncertainCalls({outcome});
	await uncertain.repeat('first', 'dashboard');
	expect(ofType('call.resolved').map(event => event.resolution)).toEqual(resolution ? [resolution] : []);
});

test('a call is repeated once at a time', async () => {
	const {uncertain, made} = await openUncertainCalls();
	const first = uncertain.repeat('first', 'dashboard');
	await expect(uncertain.repeat('first', 'dashboard')).rejects.toMatchObject({code: 'unknown_call'});
	await first;
	expect(made).toHaveLength(1);
});

test('a tool that is gone is not called under another name', async () => {
	const {uncertain, made} = await openUncertainCalls({offered: 'wri.te', calls: [{...record, tool: 'wri te'}]});
	await expect(uncertain.repeat('first', 'dashboard')).rejects.toMatchObject({code: 'unknown_tool'});
	expect(made).toEqual([]);
});

test("what a person was shown is repeated by its hash, with that person's yes as the approval; another hash repeats nothing", async () => {
	const {uncertain, made, ofType} = await openUncertainCalls();
	const shown = {by: 'cli', signal: new AbortController().signal};
	expect(await uncertain.repeatShown('first', {...shown, argumentsHash: hashJson({path: '/b'})})).toBe('changed');
	expect([made, await uncertain.list()]).toMatchObject([[], [{id: 'first'}]]);
	const argumentsHash = hashJson(record.arguments);
	expect(await uncertain.repeatShown('first', {...shown, argumentsHash})).toMatchObject({kind: 'result'});
	expect(made).toMatchObject([{arguments: record.arguments, approval: 'fresh', origin: {kind: 'command-line'}}]);
	expect(ofType('call.resolved')).toMatchObject([{callId: 'first', resolution: 'repeated', by: 'cli'}]);
	await expect(uncertain.repeatShown('first', {...shown, argumentsHash})).rejects.toMatchObject({code: 'unknown_call'});
});
