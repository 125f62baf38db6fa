import {type ApprovalsConfig} from '../config/gateway-config.ts';
import {type Verdict} from '../state/command.ts';
import {type ApprovalCard} from '../state/approval-event.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {randomId} from '../util/random-id.ts';
import {type ApprovalOutcome} from './approval-state.ts';
import {createPendingApprovals} from './pending-approvals.ts';

export {type ApprovalOutcome};

/** What is put before a person. Texts are safe to show and secrets masked; the desk adds id and times. */
export type ApprovalRequest = Omit<ApprovalCard, 'id' | 'requestedAt' | 'expiresAt'>;

/** Asks a person and waits for the end. Never rejects; the caller's abort ends it as `cancelled`. */
export type Ask = (request: ApprovalRequest, options: {readonly signal?: AbortSignal}) => Promise<ApprovalOutcome>;

/** What became of an answer: it decided, it came too late (or for an unknown id), or it named other arguments. */
export type AnswerResult = 'resolved' | 'already-settled' | 'changed';

/** A person's answer. `by` says where it was given: dashboard, command line. */
export type Answer = {
	readonly id: string;
	readonly argumentsHash: string;
	readonly verdict: Verdict;
	readonly by: string;
};

/** The place where calls wait for a person (spec/decisions.md, D7). */
export type Desk = {
	readonly ask: Ask;
	/** The first answer wins; the later ones are told so. */
	readonly answer: (answer: Answer) => AnswerResult;
	/** What is waiting, oldest first. */
	readonly pending: () => readonly ApprovalCard[];
	/** Counts a console that can show approvals; the returned function takes it away again. */
	readonly attachConsole: () => () => void;
	/** Somebody sees what is asked. */
	readonly hasConsole: () => boolean;
	/** Cancels what matches, because its server was removed. */
	readonly withdraw: (matches: (card: ApprovalCard) => boolean) => void;
	/** Cancels everything; later requests are cancelled at once. */
	readonly close: () => void;
};

/** More than a person can look through; a request beyond it is answered at once instead of piling up. */
export const mostPendingApprovals = 200;

/**
Opens the desk. `settings` is read at every request, so that it may be a live view of the configuration.

Without a console, `unattended: deny` answers `no_channel` at once and `hold` waits. What is waiting already goes on waiting until its deadline
when the last console closes: somebody may come back, and `sluice approvals` still answers. Under `deny` a warning says so.
A request beyond `mostPendingApprovals` ends as `no_channel`: nobody can be asked about it.
*/
export function createDesk(options: {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly settings: ApprovalsConfig;
}): Desk {
	const {clock, publish, settings} = options;
	const approvals = createPendingApprovals(clock, publish);
	const consoles = new Set<symbol>();
	let phase: 'open' | 'closed' = 'open';

	const withdraw: Desk['withdraw'] = matches => {
		for (const card of approvals.list().filter(card => matches(card))) {
			approvals.settle(card.id, {kind: 'withdrawn'});
		}
	};

	const askPerson = async (request: ApprovalRequest, signal: AbortSignal | undefined): Promise<ApprovalOutcome> => {
		const requestedAt = clock.now();
		const expiresAt = requestedAt + settings.timeoutSeconds * 1000;
		const card: ApprovalCard = {...request, id: randomId(), requestedAt, expiresAt};
		if (phase === 'closed' || signal?.aborted) {
			return approvals.refuse(card, {kind: 'withdrawn'});
		}

		const channel = channelFor({consoles: consoles.size, pending: approvals.list().length, settings});
		return channel.kind === 'none'
			? approvals.refuse(card, {kind: 'unreachable', message: channel.reason})
			: approvals.wait(card, signal);
	};

	return {
		withdraw,
		ask: (request, {signal}) => askPerson(request, signal),
		answer({id, argumentsHash, verdict, by}) {
			const card = approvals.find(id);
			if (card && card.argumentsHash !== argumentsHash) {
				return 'changed';
			}

			return approvals.settle(id, {kind: 'answered', verdict, by}) ? 'resolved' : 'already-settled';
		},
		pending: approvals.list,
		hasConsole: () => consoles.size > 0,
		attachConsole() {
			const mark = Symbol('console');
			consoles.add(mark);
			return () => {
				const wasLast = consoles.delete(mark) && consoles.size === 0;
				const waiting = approvals.list().length;
				if (wasLast && waiting > 0 && settings.unattended === 'deny') {
					publish(unattendedWarning(waiting));
				}
			};
		},
		close() {
			phase = 'closed';
			withdraw(() => true);
		},
	};
}

/** Whether anybody can be asked now. */
function channelFor(now: {
	readonly consoles: number;
	readonly pending: number;
	readonly settings: ApprovalsConfig;
}): {readonly kind: 'open'} | {readonly kind: 'none'; readonly reason: string} {
	if (now.pending >= mostPendingApprovals) {
		return {kind: 'none', reason: `${mostPendingApprovals} other approvals are waiting already`};
	}

	return now.consoles === 0 && now.settings.unattended === 'deny'
		? {kind: 'none', reason: 'No dashboard is open, and approvals.unattended is deny'}
		: {kind: 'open'};
}

function unattendedWarning(waiting: number): GatewayEventBody {
	const text = `The last console closed while ${waiting} approvals wait; they stay until their deadline, and \`sluice approvals\` answers them`;
	return {type: 'log', level: 'warning', area: 'approvals', text};
}
