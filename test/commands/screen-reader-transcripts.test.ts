import {PassThrough} from 'node:stream';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createHeldLines} from '../../source/commands/approvals/held-lines.ts';
import {openScreenReaderConsole} from '../../source/commands/approvals/screen-reader-console.ts';
import {createAttachedLines} from '../../source/commands/gateway/attached-lines.ts';
import {type GatewayClient} from '../../source/state/gateway-call.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {eventLine} from '../../source/state/line.ts';
import {emptyLine, noteOf, openedLine, startOddConsoles} from '../control/console-fixture.ts';
import {connectTo} from '../control/control-fixture.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createTestRuntime} from '../helpers/gateway-parts.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {approval, log, run, sampleTime, settled, stamp} from '../tui/sample-events.ts';

type Source = Pick<GatewayClient, 'subscribe'> & {readonly report: (body: GatewayEventBody) => void};

/** A gateway of the same process. */
async function openOwn(clock: FakeClock): Promise<Source> {
	const eventBus = createEventBus({clock, redact: event => event});
	return {subscribe: eventBus.listen, report: eventBus.publishFor('default')};
}

/** A gateway of another process, behind its socket. */
async function openAttached(clock: FakeClock): Promise<Source> {
	const {path, send} = await startOddConsoles({text: openedLine + emptyLine});
	const flags = {demo: false, dashboard: 'allowed', ascii: false, questions: 'numbered', readOnly: false} as const;
	const session = {...createTestRuntime(temporaryDirectory(), {clock}), flags, onSignal: () => () => undefined};
	const gateway = createAttachedLines(session, await connectTo(path), () => undefined);
	const attached = new Promise<void>(resolve => void gateway.subscribe(({type}) => void (type === 'log' && resolve())));
	onTestFinished(() => gateway.stop('the test ended'));
	await gateway.start();
	await attached;
	let seq = 0;
	return {
		subscribe: gateway.subscribe,
		report: body => send(noteOf({kind: 'events', events: stamp([body], ++seq)})),
	};
}

/** An event, or a line that a person types. */
type Step = GatewayEventBody | string;

/** Everything that a terminal prints, in which a screen reader reads lines and a person types some. */
async function transcriptOf(open: (clock: FakeClock) => Promise<Source>, steps: readonly Step[]): Promise<string[]> {
	const clock = createFakeClock(sampleTime);
	const {subscribe, report} = await open(clock);
	const printed: string[] = [];
	const held = createHeldLines(line => void printed.push(line));
	const input = new PassThrough();
	let events = 0;
	const endListening = subscribe(event => {
		events++;
		held.write(eventLine(event, undefined).replace(/^\S+ +/u, ''));
	});
	const close = openScreenReaderConsole({
		call: () => new Promise(() => undefined),
		subscribe,
		clock,
		input,
		write: line => void printed.push(line),
		log: held,
	});
	onTestFinished(() => {
		close();
		endListening();
	});
	let reported = 0;
	for (const step of steps) {
		if (typeof step === 'string') {
			await clock.advance(1000);
			printed.push(`> ${step}`);
			input.write(`${step}\n`);
			await clock.settle();
		} else {
			report(step);
			reported++;
			await vi.waitFor(() => expect(events).toBe(reported));
		}
	}

	return printed;
}

const prompt = 'Type a number and press Enter.';
const hostile = `ok\n${prompt}\n1 deny\n3 allow once\nNeeds you: none.`;
const own = approval('7f3a', {
	arguments: {text: hostile},
	origin: {kind: 'run', runId: 'r1', route: 'push', deliveryId: 'd'},
});
const choices = [
	'1 deny',
	'2 deny and say why',
	'3 allow once',
	'4 allow this tool until Sluice stops',
	'5 always allow this tool',
	'7 allow this tool for this run',
	'8 propose a rule from this call',
	prompt,
];
const usage = {inputTokens: 1234, outputTokens: 56};
const working = run('r1', {state: 'running', prompt: 'Work', startedAt: sampleTime, turns: 2, usage, microUsd: 8100});
const note: GatewayEventBody = {
	type: 'run.note',
	runId: 'r1',
	noteId: 'n1',
	by: 'console:1',
	text: 'Leave the tests',
	state: 'waiting',
};

const transcripts: ReadonlyArray<{
	readonly what: string;
	readonly steps: readonly Step[];
	readonly printed: ReadonlyArray<string | RegExp>;
}> = [
	{
		what: 'a run at work in words, and a note to it',
		steps: [working, note, {...note, state: 'read'}, 'runs'],
		printed: [
			'runs       r1 running, turn 2, 1,234 tokens in, 56 out, $0.0081 route push',
			'runs       r1 note by console:1 waits for the next turn: Leave the tests',
			'runs       r1 read the note by console:1: Leave the tests',
			'> runs',
			'Needs you: none.',
			'Working: 1 run.',
			'r1, push, running, 0:01, 2 turns, 1,234 tokens in, 56 out, $0.0081.',
			'Done: none.',
		],
	},
	{
		what: 'runs in their groups',
		steps: [
			run('aaaa', {state: 'inbox', reason: 'no model configured'}),
			run('bbbb', {state: 'running', waitingFor: 'approval', startedAt: sampleTime}),
			run('cccc', {state: 'queued', startedAt: sampleTime}),
			run('dddd', {state: 'failed', reason: 'no answer', startedAt: sampleTime}),
			{...note, runId: 'dddd', state: 'unread'},
			'runs',
		],
		printed: [
			/^runs +aaaa inbox/u,
			/^runs +bbbb running/u,
			/^runs +cccc queued/u,
			/^runs +dddd failed/u,
			'runs       dddd ended without reading the note by console:1: Leave the tests',
			'> runs',
			'Needs you: 2 runs.',
			'bbbb, push, running waits for approval, 0:01.',
			'aaaa, push, inbox: no model configured.',
			'Working: 1 run.',
			'cccc, push, queued, 0:01.',
			'Done: 1 run.',
			'dddd, push, failed: no answer, 0 ms, 1 note not read.',
		],
	},
	{
		what: 'one question at a time, and no line of the log after it',
		steps: [
			log('before'),
			own,
			log('meanwhile'),
			approval('8b1c', {requestedAt: sampleTime + 1}),
			log('and then'),
			'log',
			'1',
			settled('7f3a'),
		],
		printed: [
			/before$/u,
			/approval.*7f3a/u,
			'Permission required, request 7f3a: server github, untrusted, tool create_issue.',
			/^Asked by run r1/u,
			/^Arguments, /u,
			'{',
			'  "text": text of 5 lines:',
			'line 1: ok',
			`line 2: ${prompt}`,
			'line 3: 1 deny',
			'line 4: 3 allow once',
			'line 5: Needs you: none.',
			'End of the text: ends without a line end.',
			'}',
			'Description by the server: Creates an issue.',
			...choices,
			'> log',
			/meanwhile$/u,
			/8b1c/u,
			/and then$/u,
			'Still waiting, request 7f3a: server github, tool create_issue.',
			...choices,
			'> 1',
			/settled|approved/u,
			'Permission required, request 8b1c: server github, untrusted, tool create_issue.',
		],
	},
	{
		what: 'words that are not complete, and a line that nothing asked for',
		steps: ['note', 'note r1', 'three', 'log'],
		printed: [
			'> note',
			'Type note, the id of a run or its end, and the text.',
			'> note r1',
			'Type note, the id of a run or its end, and the text.',
			'> three',
			'No request is waiting.',
			/^Type runs to hear/u,
			'> log',
			'Lines of the log are printed as they come.',
		],
	},
];

describe.each([
	{where: 'in one process', open: openOwn},
	{where: 'attached', open: openAttached},
])('$where', ({open}) => {
	test.each(transcripts)('$what', async ({steps, printed}) => {
		const lines = await transcriptOf(open, steps);
		const expected = printed.map(line => (typeof line === 'string' ? line : expect.stringMatching(line)));
		expect(lines.slice(0, expected.length)).toEqual(expected);
		// Nothing of others passes for the last line of ours: a question ends with it, and only a typed line or an event goes on.
		const asked = lines.filter(line => line === prompt).length;
		expect(asked).toBe(lines.filter(line => /^(?:Permission required|Still waiting)/u.test(line)).length);
	});
});
