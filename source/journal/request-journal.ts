import {type WholeRequest} from '../state/approval-event.ts';
import {type RequestBatches} from './request-batches.ts';
import {
	type AnswerOutcome,
	type CallClaim,
	type CallClaimOutcome,
	type RequestAnswer,
	type RequestEnd,
	type RequestQuery,
	type RequestRow,
	type WrittenRequest,
} from './rows/request-rows.ts';

/** A wait for a journal that is away may be given up: the promise rejects with the reason of the signal then. */
export type Waiting = {readonly signal?: AbortSignal | undefined};

/** What waits for a person at any of the gateways that share a journal (docs/approvals.md, Several gateways). Only a journal in a database has these. */
export type JournalRequests = {
	/** Resolves once every gateway can answer it. Waits for a journal that is away. */
	readonly ask: (request: WrittenRequest, waiting?: Waiting) => Promise<void>;
	/** Resolves once the answer is on disk, or another end is. */
	readonly answer: (answer: RequestAnswer) => Promise<AnswerOutcome>;
	/** Ends a request that still waits, in another way than by an answer. */
	readonly end: (id: string, end: RequestEnd) => void;
	/** Requests of gateways that are gone become `cancelled`. */
	readonly cancelAbandoned: () => Promise<void>;
	/** Resolves before the call may be sent, and only then it may. With `waiting` it waits for a journal that is away. */
	readonly claim: (claim: CallClaim, waiting?: Waiting) => Promise<CallClaimOutcome>;
	readonly list: (query: RequestQuery) => Promise<readonly RequestRow[]>;
	/** All of a request that waits at another gateway; undefined when its card shows all. */
	readonly findWhole: (id: string) => Promise<WholeRequest | undefined>;
};

/** The same with a promise of the end. */
export type AttendedRequests = Omit<JournalRequests, 'end'> & {
	readonly end: (...end: Parameters<JournalRequests['end']>) => Promise<void>;
};

/** The requests of a storage that is open. */
export function createJournalRequests(
	{ask}: Pick<RequestBatches, 'ask'>,
	write: RequestBatches['ask'],
): AttendedRequests {
	return {
		ask: request => write('askRequest', request),
		answer: answer => write('answerRequest', answer),
		end: (id, end) => write('endRequest', id, end),
		cancelAbandoned: () => write('cancelAbandonedRequests'),
		claim: claim => write('claimCall', claim),
		list: query => ask('listRequests', query),
		findWhole: id => ask('findWholeRequest', id),
	};
}
