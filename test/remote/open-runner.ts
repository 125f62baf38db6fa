import {type RemoteMessage, type RemoteOutcome} from '../../source/journal/rows/remote-rows.ts';
import {createChannelRunner} from '../../source/remote/channel-runner.ts';
import {type AnswerResult, type RemoteItem, type RunnerOptions} from '../../source/remote/runner-options.ts';
import {type Verdict} from '../../source/state/person-answers.ts';
import {createFakeChannel, type FakeChannel, fakeChat} from '../helpers/fake-channel.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {onTestFinished} from '../helpers/on-test-finished.ts';
import {sampleRequest} from '../helpers/remote-requests.ts';

/** Requests as a gateway has them: the first answer wins. */
export function createRequests() {
	const waiting = new Map<string, RemoteItem>();
	const ends = new Map<string, RemoteOutcome>();
	const answers: string[] = [];
	return {
		waiting,
		ends,
		answers,
		ask(id: string, requestedAt: number, args = {path: id}) {
			const request = sampleRequest(args, {id, requestedAt, expiresAt: requestedAt + 900_000});
			waiting.set(id, {kind: 'approval', id, requestedAt, expiresAt: request.expiresAt, request});
		},
		answer(id: string, verdict: Verdict, by: string): AnswerResult {
			if (!waiting.delete(id)) {
				return 'already-settled';
			}

			answers.push(`${id} ${verdict.kind} ${by}${verdict.kind === 'deny' ? ` ${verdict.message ?? ''}` : ''}`.trim());
			ends.set(id, {text: `${verdict.kind} by ${by}`});
			return 'resolved';
		},
	};
}

/** The rows of a journal that several gateways share, in memory. */
export function createRows() {
	const rows = new Map<string, RemoteMessage>();
	let [owner, state]: [string, 'works' | 'away'] = ['', 'works'];
	const check = () => {
		if (state === 'away') {
			throw new Error('away');
		}
	};

	return {
		rows,
		set(next: 'works' | 'away') {
			state = next;
		},
		/** The gateway that holds the channel is gone. */
		die() {
			owner = '';
		},
		of: (name: string): RunnerOptions['journal'] => ({
			async claimRemoteChannel() {
				check();
				owner = owner === '' ? name : owner;
				return owner === name ? {holder: 'this-gateway'} : {holder: 'another', node: owner};
			},
			releaseRemoteChannel() {
				owner = owner === name ? '' : owner;
			},
			async takeRemoteMessages() {
				check();
				return [...rows.values()].filter(row => row.state !== 'ended');
			},
			async writeRemoteMessage(message) {
				check();
				if (owner === name) {
					rows.set(message.id, message);
				}

				return owner === name;
			},
		}),
	};
}

type Requests = ReturnType<typeof createRequests>;

/** Starts the channel of one gateway. */
export function startChannel(options: {
	readonly journal: RunnerOptions['journal'];
	readonly clock: FakeClock;
	readonly channel: FakeChannel;
	readonly requests: Requests;
	readonly state?: {isHeld: boolean; isAtConsole: boolean};
	readonly place?: number;
}) {
	const {journal, clock, channel, requests, state = {isHeld: false, isAtConsole: false}, place = 0} = options;
	const notices: string[] = [];
	const holds: string[] = [];
	const runner = createChannelRunner({
		clock,
		channel,
		journal,
		place: {
			name: 'telegram:a',
			profile: 'default',
			platform: 'telegram',
			chat: fakeChat,
			place,
			approvers: ['456'],
			send: 'arguments',
		},
		leaseMilliseconds: () => 15_000,
		waiting: () => [...requests.waiting.values()],
		times: () => ({delayMilliseconds: 20_000, ...state}),
		async outcomeOf({subject}: RemoteMessage) {
			const ids = subject.requests.map(({id}) => id);
			return ids.some(id => requests.waiting.has(id))
				? undefined
				: (requests.ends.get(ids[0] ?? '') ?? {text: 'no longer waiting'});
		},
		acts: {
			answer: async ({id}, verdict, by) => requests.answer(id, verdict, by),
			async answerText({id, text}, by) {
				requests.waiting.delete(id);
				requests.answers.push(`${id} ${text} ${by}`);
				return undefined;
			},
			async hold(by) {
				state.isHeld = true;
				holds.push(by);
			},
		},
		random: () => 0,
		onChange: () => undefined,
		onNotice: text => notices.push(text),
		onSent: () => undefined,
	});
	onTestFinished(runner.close);
	return {runner, notices, holds, state};
}

/** The parts of a channel whose chat is in this process. */
export function openParts() {
	const clock = createFakeClock();
	const rows = createRows();
	const journal = rows.of('web-1');
	const [channel, requests] = [createFakeChannel(), createRequests()];
	return {clock, rows, journal, channel, requests};
}
