import {type ProblemCode} from '../util/problem-codes.ts';
import {type Problem} from '../util/problem.ts';
import {type CallGateway, type MethodName, type ParamsOf, type ResultOf} from './api.ts';
import {type Masks, type FullRequest} from './approval-event.ts';
import {type GatewayEvent} from './event.ts';
import {isRequestMethod, requestVersion} from './request-version.ts';
import {type Verdict} from './person-answers.ts';
import {type ApprovalRow, type Snapshot} from './snapshot.ts';

/** A call of one method of a gateway, as data. */
export type CallOf<Name extends MethodName> = {
	readonly method: Name;
	readonly params: ParamsOf<Name>;
	/** Default: the profile of the console. */
	readonly profile?: string | undefined;
	/** The page of a call by hand that shows the result of this call. */
	readonly requestId?: string;
};

/** A call of any method, as data. */
export type GatewayCall<Name extends MethodName = MethodName> = {readonly [Each in Name]: CallOf<Each>}[Name];

/** The end of a call. A problem is given by its public text, which is safe to show. */
export type CallEnd =
	| {
			readonly kind: 'problem';
			readonly call: GatewayCall;
			readonly code: ProblemCode;
			readonly reason: string;
			readonly level: Problem['level'];
	  }
	| CallResult;

/** The result of a call, beside the call. */
export type CallResult<Name extends MethodName = MethodName> = {
	readonly [Each in Name]: {
		readonly kind: 'result';
		readonly method: Each;
		readonly call: CallOf<Each>;
		readonly result: ResultOf<Each>;
	};
}[Name];

/** The methods of a dashboard that need no more than `read` (`control/methods.ts`). A read-only dashboard calls no other. */
export const readMethods: ReadonlySet<MethodName> = new Set<MethodName>([
	'rules.view',
	'askers.view',
	'rules.rehearse',
	'mcp.view',
	'mcp.view-calls',
	'mcp.view-log',
	'mcp.view-tools',
	'events.list',
	'events.older',
	'events.view',
	'calls.view',
	'decisions.view',
	'deliveries.view',
	'runs.view',
	'traces.view',
]);

/** The id of the request, call, run or server that a call is about; empty for a call about anything else. */
export function subjectId({params}: CallOf<MethodName>): string {
	if ('id' in params) {
		return params.id;
	}

	return 'server' in params && typeof params.server === 'string' ? params.server : '';
}

/** The call that decides about a request. It allows exactly the arguments that were shown. */
export function decisionCall(
	{id, argumentsHash, profile}: Pick<ApprovalRow, 'id' | 'argumentsHash' | 'profile'>,
	verdict: Verdict,
): CallOf<'approvals.allow'> | CallOf<'approvals.deny'> {
	if (verdict.kind === 'approve') {
		return {method: 'approvals.allow', params: {id, scope: verdict.scope, arguments_hash: argumentsHash}, profile};
	}

	const {message} = verdict;
	return {method: 'approvals.deny', params: {id, ...(message !== undefined && {message})}, profile};
}

/**
The call with the version of its request as a snapshot has it (`requestVersion`), unless the call names one. A call about anything else stays as it
is. The gateway refuses a decision with another version, or with none.
*/
export function withVersion(call: GatewayCall, snapshot: Snapshot): GatewayCall {
	const {method, params} = call;
	if (!isRequestMethod(method) || ('request_version' in params && params.request_version !== undefined)) {
		return call;
	}

	const version = requestVersion(method, subjectId(call), snapshot);
	// The parameters stay those of the method.
	return {...call, params: {...params, request_version: version}} as GatewayCall;
}

/** The waiting request that is to be read, and the masks of its secrets. */
export type FullRequestQuery = {readonly id: string; readonly profile: string; readonly masks: Masks};

/**
Reads all of a waiting request from the gateway; undefined when it does not wait (any more). The result never enters an event, a log or another
console: only a dashboard may ask for it without masks. Never rejects.
*/
export type ReadFull = (query: FullRequestQuery) => Promise<FullRequest | undefined>;

/** A client of a gateway: over its socket (`control/client.ts`), or in its process (`control/in-memory-client.ts`). */
export type GatewayClient = {
	readonly call: CallGateway;
	/**
	Calls `onEvent` for each event from now on; the returned function ends that. A gateway of another process begins with everything as it is now, and
	does so again once a client that fell behind has read: `onSnapshot` takes the place of all before.
	*/
	readonly subscribe: (onEvent: (event: GatewayEvent) => void, onSnapshot?: (snapshot: Snapshot) => void) => () => void;
};
