import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createApprovalQueue} from '../../../source/approvals/approval-queue.ts';
import {createQuestionQueue} from '../../../source/approvals/question-queue.ts';
import {createRequestRows} from '../../../source/approvals/request-rows.ts';
import {createSharedRequests} from '../../../source/approvals/shared-requests.ts';
import {createWaitingTime} from '../../../source/approvals/waiting-time.ts';
import {createRemoteRequests, outcomeWords} from '../../../source/gateway/services/remote-requests.ts';
import {createChannelRunner} from '../../../source/remote/channel-runner.ts';
import {emptySnapshot} from '../../../source/state/snapshot.ts';
import {createFakeChannel, fakeChat} from '../../helpers/fake-channel.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {openTestJournal} from '../../helpers/journal-records.ts';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {sampleRequest} from '../../helpers/remote-requests.ts';

/** The requests of a profile, and a chat of it. */
function openStage() {
	const clock = createFakeClock();
	const journal = openTestJournal({clock});
	const publish = () => undefined;
	const time = createWaitingTime(clock);
	const settings = {timeoutSeconds: 300, unattended: 'hold'} as const;
	const rows = createRequestRows({clock, journal, profile: 'default', node: () => undefined});
	const approvals = createApprovalQueue({clock, time, publish, settings});
	const questions = createQuestionQueue({clock, time, publish, hasConsole: () => true});
	const requests = createSharedRequests({
		rows,
		approvals,
		questions,
		journal,
		profile: 'default',
		clock,
		publish,
		checkForm: async (_, {values}) => ({kind: 'fit', values}),
	});
	const profile = {name: 'default', tools: {requests}, context: {clock, redactor: {redact: (text: string) => text}}};
	const parts = {
		journal,
		hold: {hold: async () => ({}), current: () => undefined},
		live: {current: () => emptySnapshot},
		inbox: {answer: async () => undefined, close: async () => undefined},
	};
	type Given = Parameters<typeof createRemoteRequests>;
	const remote = createRemoteRequests(profile as unknown as Given[0], parts as unknown as Given[1]);
	const channel = createFakeChannel();
	const runner = createChannelRunner({
		...remote,
		clock,
		channel,
		journal: {
			...journal,
			claimRemoteChannel: async () => ({holder: 'this-gateway'}),
			takeRemoteMessages: async () => [],
			writeRemoteMessage: async () => true,
			releaseRemoteChannel: () => undefined,
		},
		place: {
			name: 'telegram:a',
			profile: 'default',
			platform: 'telegram',
			chat: fakeChat,
			place: 0,
			approvers: ['456'],
			send: 'arguments',
		},
		leaseMilliseconds: () => 15_000,
		times: () => ({delayMilliseconds: 0, isHeld: false, isAtConsole: false}),
		random: below => below - 1,
		onChange: () => undefined,
		onNotice: () => undefined,
		onSent: () => undefined,
	});
	onTestFinished(runner.close);
	return {clock, approvals, questions, requests, channel};
}

/** The same numbers from 0 to 1 in every run: the generator of Numerical Recipes, 7.1. */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

test('two windows, a command and a chat that answer in the same moment settle a request once, 200 times in any order', async () => {
	const {clock, approvals, requests, channel} = openStage();
	const random = createRandom(20_261_128);
	const winners = new Map<string, number>();
	for (let round = 0; round < 200; round++) {
		const {
			id: _,
			requestedAt: _at,
			expiresAt: _until,
			...request
		} = sampleRequest({path: `${'abcdef'[round % 6]}.txt`});
		let asked = '';
		const ended = approvals.ask(request, {onWaiting: id => (asked = id)});
		await clock.advance(11_000);
		const {argumentsHash} = request;
		const verdict = () =>
			random() < 0.5 ? ({kind: 'approve', scope: 'once'} as const) : ({kind: 'deny', message: 'no'} as const);
		const chatAllows = random() < 0.5;
		if (chatAllows) {
			await channel.press('Allow…');
			await clock.advance(1000);
		}

		const label = chatAllows ? channel.right() : 'Deny';
		const answers = [
			...['console:1', 'console:2', 'cli'].map(
				by => async () => requests.answerApproval({id: asked, argumentsHash, verdict: verdict(), by}),
			),
			async () => channel.press(label),
		];
		const shuffled = answers.map(answer => ({answer, place: random()})).sort((one, other) => one.place - other.place);
		await Promise.all(
			shuffled.map(async ({answer}) => {
				for (let turns = Math.floor(random() * 3); turns > 0; turns--) {
					await nextTurn();
				}

				await answer();
			}),
		);
		const outcome = await ended;
		await clock.advance(2000);
		const by = 'by' in outcome ? outcome.by : '';
		winners.set(by, (winners.get(by) ?? 0) + 1);
		expect(requests.endOf(asked)).toEqual(outcome);
		const {text, foreign} = outcomeWords(outcome, clock.now());
		const line = text.replace(/ at .*$/u, '');
		expect(channel.text()).toContain(foreign === undefined ? line : `${line} at `);
		expect([channel.labels(), channel.messages.size]).toEqual([[], round + 1]);
	}

	expect([...winners.keys()].sort()).toEqual(['cli', 'console:1', 'console:2', 'telegram:456']);
	expect(Math.min(...winners.values())).toBeGreaterThan(10);
}, 60_000);

test('a question of a run is answered by a reply: the number of a choice, or a text', async () => {
	const {clock, questions, channel} = openStage();
	const answer = {title: 'Answer', description: ''};
	const options = ['main', 'next'].map((title, index) => ({value: String(index), title}));
	const ask = () =>
		questions.ask(
			{
				kind: 'clarify',
				asker: 'run 1',
				message: 'Which branch?',
				fields: [
					{...answer, kind: 'choice', name: 'choice', need: 'optional', options},
					{...answer, kind: 'text', name: 'answer', need: 'optional'},
				],
				origin: {kind: 'command-line'},
			},
			{timeoutSeconds: 300},
		);
	for (const [reply, values] of [
		['2', {choice: '1'}],
		['3', {answer: '3'}],
		['neither', {answer: 'neither'}],
	] as const) {
		const ended = ask();
		await clock.advance(1500);
		expect(channel.text()).toContain('Which branch?\n1. main\n2. next');
		await channel.reply(reply);
		expect(await ended).toEqual({kind: 'answered', values, by: 'telegram:456'});
	}
});

test.each([
	[{kind: 'approved', scope: 'session', by: 'cli'}, 'Allowed until the gateway stops by cli at 22:13:20 UTC'],
	[{kind: 'denied', by: 'console:1', message: 'no'}, 'Denied by console:1 at 22:13:20 UTC'],
	[{kind: 'timed_out'}, 'Nobody answered in time. It comes back when the agent calls again'],
	[{kind: 'cancelled'}, 'It is no longer waiting: the caller went away, or the gateway stopped'],
] as const)('%j is shown as it ended', (outcome, text) => {
	expect(outcomeWords(outcome, 1_700_000_000_000).text).toBe(text);
});
