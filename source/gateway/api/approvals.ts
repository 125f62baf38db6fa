import {type ApprovalOutcome} from '../../approvals/approval-state.ts';
import {type SharedRequests} from '../../approvals/shared-requests.ts';
import {approvalEndToJson, approvalToJson, fullApprovalToJson} from '../../control/decision-wire.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {reviewedHash} from '../../control/review-hash.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type Verdict} from '../../state/person-answers.ts';
import {nameId, readNamedId, shownId} from '../../util/id-part.ts';
import {type AnsweredJson} from '../../state/json/approval.ts';
import {Problem} from '../../util/problem.ts';
import {assertMayAllow, type Caller, type HandlerContext} from './handler-context.ts';
import {followingCall, followOwnCall, followStoredCall} from './follow-call.ts';

type ApprovalHandlers = Pick<
	GatewayHandlers,
	'approvals.list' | 'approvals.show' | 'approvals.view' | 'approvals.allow' | 'approvals.deny'
>;

/** Lists approval requests of the listed profiles and decides them (docs/approvals.md, Answer from another terminal). */
export function approvalHandlers({caller, journal, listed: profiles}: HandlerContext): ApprovalHandlers {
	const pending = () => profiles.flatMap(({tools}) => tools.requests.approvals());
	const recentIds = () => profiles.flatMap(({tools}) => tools.requests.recentIds());
	const find = (id: string) => findRequest(profiles, id);

	/** The end of a request, kept for an hour; finds it by its id or a part of it. */
	const endOf = (typed: string): ApprovalOutcome | undefined => {
		const named = nameId(recentIds(), typed);
		const ends = profiles.map(({tools}) => (named.kind === 'found' ? tools.requests.endOf(named.id) : undefined));
		return ends.find(end => end !== undefined);
	};

	const settledBefore = (typed: string) => {
		const end = endOf(typed);
		return {answer: 'already-settled', end: end ? approvalEndToJson(end) : null} as const;
	};

	const answer = async (id: string, given: {readonly verdict: Verdict; readonly argumentsHash?: string}) => {
		const found = find(id);
		if (!found) {
			return settledBefore(id);
		}

		const {verdict, argumentsHash = found.request.argumentsHash} = given;
		const result = await found.requests.answerApproval({id, argumentsHash, verdict, by: caller.name});
		return result === 'already-settled' ? settledBefore(id) : {answer: result, end: null};
	};

	/**
	The request to be allowed. The text must name no other one of the last hour, settled ones included: a person who types
	a part of an id read then must not allow another request. Throws `ambiguous_id`.
	*/
	const toAllow = (typed: string): string => {
		const id = readNamedId([...pending().map(one => one.id), ...recentIds()], typed) ?? typed;
		const found = find(id);
		if (found) {
			assertMayAllow(caller, found.context);
		}

		return id;
	};

	return {
		'approvals.list': () => pending().map(approvalToJson),
		'approvals.view': async ({id, masks}) => (await find(id)?.requests.fullRequest(id, masks)) ?? null,
		async 'approvals.show'({id: typed}) {
			const id = toAllow(typed);
			const found = find(id);
			return found
				? {request: fullApprovalToJson(found.request, await fullOf(found.requests, found.request)), end: null}
				: {request: null, end: settledBefore(typed).end};
		},
		async 'approvals.allow'({id: typed, scope, arguments_hash: argumentsHash}, {signal}) {
			const id = toAllow(typed);
			const found = find(id);
			// A console has shown the marks itself, and says so by the version of the request.
			const reviewed = found && caller.kind === 'cli' ? reviewedHash(argumentsHash, found.request) : argumentsHash;
			const allow = () => answer(id, {verdict: {kind: 'approve', scope}, argumentsHash: reviewed});
			if (caller.kind === 'console') {
				return refuseLate(id, await allow(), caller);
			}

			if (found?.request.kind !== 'tool-call') {
				return allow();
			}

			const {context, isOwn} = found;
			const call = isOwn ? followOwnCall(id, context) : followStoredCall(id, {journal, clock: context.clock});
			return followingCall(call, allow, signal);
		},
		async 'approvals.deny'({id: typed, message}) {
			const id = readNamedId(
				pending().map(one => one.id),
				typed,
			);
			const denied = await answer(id ?? typed, {verdict: {kind: 'deny', ...(message !== undefined && {message})}});
			return caller.kind === 'console' ? refuseLate(typed, denied, caller) : denied;
		},
	};
}

/** A request that waits in one of the profiles; `isOwn`: at this gateway. */
function findRequest(profiles: HandlerContext['listed'], id: string) {
	for (const {context, tools} of profiles) {
		const request = tools.requests.approvals().find(one => one.id === id);
		if (request) {
			const isOwn = tools.approvals.pending().some(one => one.id === id);
			return {context, request, requests: tools.requests, isOwn};
		}
	}

	return undefined;
}

/** A console hears of a decision that changed nothing as of a refusal. */
function refuseLate(id: string, answered: AnsweredJson, {name}: Pick<Caller, 'name'>): AnsweredJson {
	if (answered.answer === 'resolved') {
		return answered;
	}

	if (answered.answer === 'already-settled') {
		const {end} = answered;
		const how = end ? `was already ${end.outcome}${end.by === null ? '' : ` by ${end.by}`}` : 'is no longer waiting';
		const message = `${name} was too late: the request ${shownId(id)} ${how}; nothing was done`;
		throw new Problem('bad_usage', {message, level: 'warning'});
	}

	const why = answered.answer === 'changed' ? 'with other arguments' : 'for longer than it can be allowed';
	throw new Problem('bad_usage', {message: `${name} answered a request ${why}; nothing was allowed`});
}

/** Longer arguments are not read at a command line: nobody reads them there, and they would not fit into one line of the socket. */
const maxPrintedBytes = 1_000_000;

async function fullOf({fullRequest}: Pick<SharedRequests, 'fullRequest'>, {id, sentBytes}: ApprovalRequest) {
	return sentBytes > maxPrintedBytes ? undefined : fullRequest(id, 'on');
}
