import {type ApprovalQueue} from '../../approvals/approval-queue.ts';
import {type ApprovalOutcome} from '../../approvals/approval-state.ts';
import {approvalEndToJson, wholeApprovalToJson} from '../../control/decision-wire.ts';
import {type ControlHandlers} from '../../control/methods.ts';
import {approvalToJson} from '../../control/to-wire.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type Verdict} from '../../state/command.ts';
import {nameId, readNamedId} from '../../util/id-part.ts';
import {type Profile} from '../profiles/profiles.ts';
import {assertCommandsMayAllow} from './command-permission.ts';

type ApprovalMethods = Pick<
	ControlHandlers,
	'approvals.list' | 'approvals.show' | 'approvals.allow' | 'approvals.deny'
>;

/** What waits for a person in these profiles, and the answers of commands (docs/approvals.md, Answer from another terminal). */
export function approvalMethods(profiles: readonly Profile[]): ApprovalMethods {
	const queues = profiles.map(({tools}) => tools.approvals);
	const pending = () => queues.flatMap(queue => queue.pending());
	const recentIds = () => queues.flatMap(queue => queue.recentIds());
	const holderOf = (id: string) =>
		profiles.find(({tools}) => tools.approvals.pending().some(request => request.id === id));

	/** How a request of the last hour ended. */
	const endOf = (typed: string): ApprovalOutcome | undefined => {
		const named = nameId(recentIds(), typed);
		const ends = queues.map(queue => (named.kind === 'found' ? queue.endOf(named.id) : undefined));
		return ends.find(end => end !== undefined);
	};

	const settledBefore = (typed: string) => {
		const end = endOf(typed);
		return {answer: 'already-settled', end: end ? approvalEndToJson(end) : null} as const;
	};

	const answer = (id: string, given: {readonly verdict: Verdict; readonly argumentsHash?: string}) => {
		const queue = holderOf(id)?.tools.approvals;
		const request = queue?.pending().find(one => one.id === id);
		if (!queue || !request) {
			return settledBefore(id);
		}

		const {verdict, argumentsHash = request.argumentsHash} = given;
		return {answer: queue.answer({id, argumentsHash, verdict, by: 'cli'}), end: null};
	};

	/**
	The request to be allowed. The text must name no other one of the last hour, settled ones included: whoever read an id then, and types a part of
	it now, must not allow another request. Throws `ambiguous_id`.
	*/
	const toAllow = (typed: string): string => {
		const id = readNamedId([...pending().map(one => one.id), ...recentIds()], typed) ?? typed;
		const holder = holderOf(id);
		if (holder) {
			assertCommandsMayAllow(holder.context);
		}

		return id;
	};

	return {
		'approvals.list': () => pending().map(approvalToJson),
		'approvals.show'({id: typed}) {
			const id = toAllow(typed);
			const queue = holderOf(id)?.tools.approvals;
			const request = queue?.pending().find(one => one.id === id);
			return queue && request
				? {request: wholeApprovalToJson(request, wholeOf(queue, request)), end: null}
				: {request: null, end: settledBefore(typed).end};
		},
		'approvals.allow': ({id, scope, arguments_hash: argumentsHash}) =>
			answer(toAllow(id), {verdict: {kind: 'approve', scope}, argumentsHash}),
		'approvals.deny'({id: typed, message}) {
			const id = readNamedId(
				pending().map(one => one.id),
				typed,
			);
			return answer(id ?? typed, {verdict: {kind: 'deny', ...(message !== undefined && {message})}});
		},
	};
}

/** Longer arguments are not read at a command line: nobody reads them there, and they would not fit into one line of the socket. */
const mostPrintedBytes = 1_000_000;

function wholeOf(queue: Pick<ApprovalQueue, 'whole'>, {id, sentBytes}: ApprovalRequest) {
	return sentBytes > mostPrintedBytes ? undefined : queue.whole(id, 'on');
}
