import {expect, test} from 'vitest';
import {createQuestionQueue} from '../../../source/approvals/question-queue.ts';
import {createWaitingTime} from '../../../source/approvals/waiting-time.ts';
import {handshakeHandlers} from '../../../source/gateway/api/handshakes.ts';
import {type Caller, type HandlerContext} from '../../../source/gateway/api/handler-context.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {neverAborted} from '../../helpers/never-aborted.ts';
import {recordEvents} from '../../helpers/record-events.ts';

const topic = 'arn:aws:sns:us-west-2:123456789012:MyTopic';
const url = 'https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription';
const consoleCaller: Caller = {kind: 'console', name: 'console:1', browser: 'nowhere'};
const proposal = {id: 'p1', route: 'alarms', topic, url};

/** The handlers of a gateway in whose window a confirmation has come. */
function open(caller: Caller, commandLine: 'allow' | 'deny' = 'allow') {
	const clock = createFakeClock();
	const recorded = recordEvents();
	const time = createWaitingTime(clock);
	const questions = createQuestionQueue({clock, time, publish: recorded.publish, hasConsole: () => true});
	const confirmed: string[] = [];
	const parts = {
		caller,
		profile: {tools: {questions}, context: {current: () => ({config: {approvals: {commandLine}}})}},
		events: {
			handshakes: {
				open: async () => ({kind: 'proposed', proposal}),
				async confirm(id: string) {
					confirmed.push(id);
					return {kind: 'confirmed'};
				},
			},
		},
	} as unknown as HandlerContext;
	const handlers = handshakeHandlers(parts);
	const call = {signal: neverAborted(), note() {}, noteText() {}, takeOver: () => expect.unreachable()};
	return {
		questions,
		confirmed,
		clock,
		handshake: async () => handlers['webhook.handshake']({route: 'alarms'}, call),
		confirm: async () => handlers['webhook.confirm']({id: 'p1'}, call),
	};
}

test('a command gets the proposal, and confirms it itself', async () => {
	const {handshake, confirm, confirmed, questions} = open({kind: 'cli', name: 'cli'});
	expect(await handshake()).toEqual({outcome: 'proposed', proposal: {id: 'p1', topic, url}, reason: null});
	expect([questions.waiting(), confirmed]).toEqual([[], []]);
	expect(await confirm()).toEqual({outcome: 'confirmed', reason: null});
	expect(confirmed).toEqual(['p1']);
});

test('a command opens and confirms nothing where commands may not allow anything', async () => {
	const {handshake, confirm, confirmed} = open({kind: 'cli', name: 'cli'}, 'deny');
	await expect(handshake()).rejects.toMatchObject({code: 'commands_denied'});
	await expect(confirm()).rejects.toMatchObject({code: 'commands_denied'});
	expect(confirmed).toEqual([]);
});

test.each([
	[{kind: 'accept', values: {confirm: true}}, 'confirmed', ['p1']],
	[{kind: 'accept', values: {confirm: false}}, 'declined', []],
	[{kind: 'decline'}, 'declined', []],
	[{kind: 'cancel'}, 'declined', []],
] as const)('a dashboard is asked a question; %j makes it %s', async (answer, outcome, fetched) => {
	const {handshake, questions, confirmed, clock} = open(consoleCaller);
	const ending = handshake();
	await clock.settle();
	const [question] = questions.waiting();
	expect(question).toMatchObject({asker: 'route alarms', origin: {kind: 'dashboard', by: 'console:1'}});
	expect(question?.message).toContain(topic);
	expect(question?.message).toContain(url);
	expect(confirmed).toEqual([]);
	questions.answer({id: question?.id ?? '', answer, by: 'console:1'});
	expect(await ending).toEqual({outcome, proposal: null, reason: null});
	expect(confirmed).toEqual(fetched);
});
