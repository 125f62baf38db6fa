import {awaited, behind, claimed, end, own, read, retried, type Waiting, unreported} from './operation.ts';
import {
	type Hint,
	type JournalLimits,
	type OtherWork,
	type OtherWorkQuery,
	type QuotaBlock,
	type QuotaQuery,
	type RefusingTable,
} from './operation-values.ts';
import {
	type CallEnd,
	type CallRecord,
	type CallResolution,
	type CallRow,
	type DecisionRecord,
	type DecisionRow,
	type RuleUse,
	type StoredRate,
	type UncertainQuery,
} from '../rows/records.ts';
import {type AskedQuery} from '../rows/asker-rows.ts';
import {type OlderQuery, type OlderRows} from '../rows/older-rows.ts';
import {type RemoteChannelClaim, type RemoteMessage} from '../rows/remote-rows.ts';
import {type CallPage, type CallPageQuery, type CallQuery} from '../rows/call-rows.ts';
import {
	callColumns,
	type CallColumns,
	callEndColumns,
	type CallEndColumns,
	decisionColumns,
	type DecisionColumns,
} from '../rows/columns.ts';
import {type DocumentChange, type DocumentRow, type KnownDocument, type ReplaceOutcome} from '../rows/document-rows.ts';
import {type IdQuery, type IdSlice} from '../rows/id-slices.ts';
import {type NodeFacts, type NodeInstance, type NodeList} from '../rows/node-rows.ts';
import {type RateQuery} from '../rows/rates.ts';
import {type UnreadableRow} from '../rows/read-rows.ts';
import {
	type AnswerOutcome,
	type CallClaim,
	type CallClaimOutcome,
	type RequestAnswer,
	type TimeLeft,
	type RequestEnd,
	type RequestQuery,
	type RequestRow,
	type WrittenRequest,
} from '../rows/request-rows.ts';
import {type TraceQuery, type TraceRows} from '../rows/trace.ts';
import {
	type DayLimitName,
	type DayLimitRow,
	type SpendingCorrection,
	type SpendingOfDay,
	type SpendingOutcome,
	type SpendingRequest,
	type SpendingRow,
} from '../rows/spending-rows.ts';
import {type FullRequest} from '../../state/approval-event.ts';
import {type AskedRow} from '../../state/view-event.ts';

/** Calls and decisions. A page rejects while no journal is open: one without a next would say that there are no more calls. */
const callOperations = {
	/** Resolves before the call may be sent. One that is not read-only waits for a journal that is away, up to `journal.patience`; of one that is, nothing is undone. */
	startCall: claimed<(call: CallRecord, waiting?: Waiting) => void, (call: CallColumns) => boolean>({
		encode: call => [callColumns(call)],
		returns: 'written',
		claim: ({readOnly}, {signal} = {}) => ({signal, wait: readOnly ? 'none' : 'patience'}),
		undo: ({id, readOnly}) =>
			readOnly ? undefined : ['finishCall', id, {outcome: 'failed', code: 'storage_unavailable', ms: 0}],
	}),
	finishCall: end<(id: string, end: CallEnd) => void, (id: string, end: CallEndColumns) => void>({
		encode: (id, ended) => [id, callEndColumns(ended)],
	}),
	/** Writes a call that was refused before it was sent. One that is there already gets its end, and what was decided about it in the end. */
	recordCall: behind<(call: CallRecord, end: CallEnd) => void, (call: CallColumns, end: CallEndColumns) => void>({
		encode: (call, ended) => [callColumns(call), callEndColumns(ended)],
	}),
	/** A call with what its caller got. */
	findCall: read<(id: string) => CallRow | undefined>({whenClosed: undefined}),
	/** The calls of a run, oldest first, without answers. */
	listRunCalls: read<(runId: string, limit: number) => readonly CallRow[]>({whenClosed: []}),
	/** The newest unresolved uncertain calls, oldest first (docs/approvals.md, Uncertain calls). */
	listUncertainCalls: read<(query: UncertainQuery) => readonly CallRow[]>({whenClosed: []}),
	/** Stores how a person resolved an uncertain call; false when it is already resolved. */
	resolveCall: awaited<(id: string, resolved: CallResolution) => boolean>(),
	listCalls: read<(query: CallQuery) => readonly CallRow[]>({whenClosed: []}),
	/** A page of all calls of a profile. */
	listCallPage: read<(query: CallPageQuery) => CallPage>(),
	/** Number of decisions of each rule, and the time of the last, as far as the journal goes back. */
	listRuleUses: read<() => readonly RuleUse[]>({whenClosed: []}),
	recordDecision: behind<(decision: DecisionRecord) => void, (columns: DecisionColumns) => void>({
		encode: decision => [decisionColumns(decision)],
	}),
	/** The requests that persons of a profile decided, by asker and tool, most first. */
	countAsked: read<(query: AskedQuery) => readonly AskedRow[]>(),
	/** Events, calls, decisions and messages before a time, newest first; of each kind at most `limit`. */
	listOlderRows: read<(query: OlderQuery) => OlderRows>(),
	listDecisions: read<(query: {readonly limit: number}) => readonly DecisionRow[]>({whenClosed: []}),
	findDecision: read<(id: string) => DecisionRow | undefined>({whenClosed: undefined}),
	findCallDecision: read<(callId: string) => DecisionRow | undefined>({whenClosed: undefined}),
	/** The decisions about calls and requests of a run, oldest first. */
	listRunDecisions: read<(runId: string, limit: number) => readonly DecisionRow[]>({whenClosed: []}),
};

/** Operations that gateways share through a journal in a database. A file has neither requests nor documents: those are in memory and in files beside it. */
const sharedOperations = {
	/** Resolves once every gateway can answer it. Waits for a journal that is away. */
	askRequest: claimed<(request: WrittenRequest, waiting?: Waiting) => void, (request: WrittenRequest) => void>({
		encode: request => [request],
		claim: (_, {signal} = {}) => ({signal, wait: 'patience'}),
		undo: ({request}) => ['endRequest', request.id, {kind: 'cancelled'}],
	}),
	/** Resolves once the answer is on disk, or another end is. */
	answerRequest: awaited<(answer: RequestAnswer) => AnswerOutcome>(),
	/** Ends a request that still waits, in another way than by an answer. */
	endRequest: end<(id: string, end: RequestEnd) => void>(),
	/** The time of a request of this gateway begins to run, stands still, or is longer. */
	setRequestTime: retried<(id: string, left: TimeLeft) => void>(),
	/** Requests of gateways that are gone become `cancelled`. */
	cancelAbandonedRequests: awaited<() => void>(),
	/** Resolves before the call may be sent, and only then it may. With `waiting` it waits for a journal that is away. */
	claimCall: claimed<(claim: CallClaim, waiting?: Waiting) => CallClaimOutcome, (claim: CallClaim) => CallClaimOutcome>(
		{
			encode: claim => [claim],
			claim: (_, waiting) => ({...waiting, wait: waiting ? 'patience' : 'none'}),
		},
	),
	listRequests: read<(query: RequestQuery) => readonly RequestRow[]>(),
	/** All of a request that waits at another gateway; undefined when its card shows all. */
	findFullRequest: read<(id: string) => FullRequest | undefined>(),
	/** All of them. None that are found would say that there is no rule, so it rejects while no journal is open. */
	listDocuments: read<(known: readonly KnownDocument[]) => readonly DocumentRow[]>(),
	replaceDocument: awaited<(change: DocumentChange) => ReplaceOutcome>(),
	/** Tells every gateway on this journal to poll for changes of this kind; one that misses it finds them by its next poll. */
	announce: read<(hint: Hint) => void>(),
	/** Takes a part of the quota of a route for this gateway alone (docs/postgresql.md, Several machines). */
	takeQuotaBlock: awaited<(route: string, query: QuotaQuery) => QuotaBlock>(),
	/** Work of the other gateways of a shared journal since the last poll. */
	listOtherWork: read<(query: OtherWorkQuery) => OtherWork>(),
};

/** Amounts spent, and the limits of a day (docs/limits.md). */
const spendingOperations = {
	/** Counts amounts before they are spent, unless a bound would be passed: then nothing is counted. One that is reported as failed may be counted. */
	reserveSpending: awaited<(request: SpendingRequest) => SpendingOutcome>(),
	/** Corrects a reservation once it is known what was spent. It is not repeated: one that is lost leaves more counted than was spent. */
	correctSpending: awaited<(correction: SpendingCorrection) => readonly SpendingRow[]>(),
	/** Spending and limits of a day. Rejects while no journal is open: none would say that nothing was spent. */
	listSpending: read<(date: number) => SpendingOfDay>(),
	/** Notes that a limit is near or reached; true the first time. */
	markLimit: awaited<(row: DayLimitRow) => boolean>(),
	/** True when this gateway is the one that asks a person about the limit. */
	claimLimit: awaited<(name: DayLimitName) => boolean>(),
	/** Stores the answer of a person; false when the limit is not open any more. */
	endLimit:
		awaited<(name: DayLimitName, end: {readonly state: 'allowed' | 'denied'; readonly by: string}) => boolean>(),
};

/** The journal itself: its gateways, tables and old rows. */
const ownOperations = {
	/** From now on what is written belongs to this instance of a gateway. `dead`: another one has said so, and nothing was written. */
	enterNode: unreported<(instance: NodeInstance) => 'entered' | 'dead'>(),
	/** A heartbeat of this gateway. `dead`: another one has said so, and took over what this one did. */
	renewNode: awaited<(facts: NodeFacts) => 'alive' | 'dead'>(),
	/** Marks gateways dead without a heartbeat within their lease; resolves with their names. */
	expireNodes: awaited<() => readonly string[]>(),
	/** This instance ends in an orderly way: others take over what it left. */
	leaveNode: own<() => void>(),
	/** The gateways of the journal, also those that are gone (docs/postgresql.md, Several machines). Rejects while no journal is open: none would say that all are gone. */
	listNodes: read<() => NodeList>(),
	/** The tables that cannot be used; usually none. It writes nothing and reads no row. */
	listRefusingTables: read<() => readonly RefusingTable[]>({whenClosed: []}),
	/** The rows of events, calls and decisions that were left out of lists since it was opened, because they cannot be read. */
	listUnreadableRows: read<() => readonly UnreadableRow[]>({whenClosed: []}),
	/** The id that it got when it was made. A copy or backup has the same. */
	findIdentity: read<() => string | undefined>(),
	/** Removes one slice of old rows; true when another may be needed. */
	removeSlice: unreported<(limits: JournalLimits) => boolean>(),
	listRates: read<(query: RateQuery) => readonly StoredRate[]>({whenClosed: []}),
	/** A request or run, and what came of it. */
	findTrace: read<(query: TraceQuery) => TraceRows | undefined>({whenClosed: undefined}),
	/** One slice of a search for ids by a part of them; `findNamedRow` reads all. */
	findIds: read<(query: IdQuery) => IdSlice>({whenClosed: {ids: []}}),
};

/** Messages in chats, and who holds each channel. */
const remoteOperations = {
	/** This gateway holds a chat that carries requests to persons (docs/remote.md) from now on, unless another one that is alive does. */
	claimRemoteChannel: awaited<(channel: string) => RemoteChannelClaim>(),
	releaseRemoteChannel: end<(channel: string) => void>(),
	/** Makes this gateway the owner of the messages of a channel that it holds, and that have not ended; oldest first. */
	takeRemoteMessages: awaited<(channel: string) => readonly RemoteMessage[]>(),
	/** Writes a message, or its change; false where another gateway has taken it over, and nothing was written. */
	writeRemoteMessage: awaited<(message: RemoteMessage) => boolean>(),
};

/** Operations on calls, what gateways share, chats, spending, and the journal itself. */
export const recordOperations = {
	...callOperations,
	...sharedOperations,
	...remoteOperations,
	...spendingOperations,
	...ownOperations,
};
