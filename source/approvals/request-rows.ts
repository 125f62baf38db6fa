import {type Journal, type Waiting} from '../journal/journal.ts';
import {createLatestWrite} from '../journal/latest-write.ts';
import {type AskedRequest, type RequestEnd, type TimeLeft, type WrittenRequest} from '../journal/rows/request-rows.ts';
import {type ApprovalRequest, type Masks, type FullRequest, type RequestDeadline} from '../state/approval-event.ts';
import {type QuestionDetails} from '../state/person-event.ts';
import {type Clock} from '../util/clock.ts';
import {isHead} from '../util/exact-text.ts';
import {type ApprovalOutcome} from './approval-state.ts';
import {type QuestionOutcome} from './question-state.ts';

/** Writes the requests of a queue, so that a person at another gateway can answer them (docs/postgresql.md, Several gateways). */
export type RequestRows<Request, Outcome> = {
	/** The name of this gateway among the others; undefined: it shares its journal with none. */
	readonly node: () => string | undefined;
	/** Resolves once the request can be answered anywhere; waits for a journal that is away. Rejects with `storage_unavailable`, or with the reason of the signal. */
	readonly write: (request: Request, options: Waiting & {fullRequest?: (masks: Masks) => FullRequest}) => Promise<void>;
	readonly end: (request: Request, outcome: Outcome) => void;
	/** Its deadline has changed. */
	readonly setDeadline: (request: Request) => void;
	/** The request ends here alone: another gateway takes it over. */
	readonly leave: (request: Request) => void;
	readonly lateMilliseconds: () => number;
};

/** The rows of a profile: those of its approvals and of its questions. */
export type ProfileRows = {
	readonly node: () => string | undefined;
	readonly approvals: RequestRows<ApprovalRequest, ApprovalOutcome>;
	readonly questions: RequestRows<QuestionDetails, QuestionOutcome>;
	/** The ids of the requests that wait here. */
	readonly list: () => readonly string[];
	/** The row has its end already, and nothing that is to be removed. */
	readonly forget: (id: string) => void;
};

/** An answer that was in time by the clock of the database is read within a second, and its gateway may be busy. */
const lateMilliseconds = 2000;

/** Longer requests are read at the gateway that asks: as rows they would be read by every other one. */
const maxFullBytes = 1_000_000;

/** Creates the rows of a profile. */
export function createRequestRows(options: {
	readonly clock: Pick<Clock, 'now'>;
	readonly journal: Pick<Journal, 'askRequest' | 'endRequest' | 'setRequestTime'>;
	readonly profile: string;
	readonly node: () => string | undefined;
}): ProfileRows {
	const {clock, journal, profile, node} = options;
	/** The ways to change the time of each. */
	const written = new Map<string, (left: TimeLeft) => void>();
	const write = async (row: AskedRequest & Pick<WrittenRequest, 'argumentsHash' | 'fullRequest'>, waiting: Waiting) => {
		const {id} = row.request;
		written.set(
			id,
			createLatestWrite(left => journal.setRequestTime(id, left)),
		);
		try {
			await journal.askRequest({...row, node: node() ?? '', profile}, waiting);
		} catch (caught) {
			written.delete(id);
			throw caught;
		}
	};

	const end = (id: string, ended: RequestEnd) => {
		if (written.delete(id)) {
			journal.endRequest(id, ended);
		}
	};

	const shared = {
		node,
		setDeadline({id, expiresAt, left = 0}: RequestDeadline & Pick<ApprovalRequest, 'id'>) {
			written.get(id)?.(
				expiresAt === null
					? {milliseconds: left, time: 'suspended'}
					: {milliseconds: expiresAt - clock.now(), time: 'running'},
			);
		},
		leave: ({id}: Pick<ApprovalRequest, 'id'>) => void written.delete(id),
		lateMilliseconds: () => (node() === undefined ? 0 : lateMilliseconds),
	};
	return {
		node,
		list: () => [...written.keys()],
		forget: id => void written.delete(id),
		approvals: {
			...shared,
			write(request, {signal, fullRequest}) {
				const {argumentsHash, sentBytes} = request;
				const whole = isShownInFull(request) || sentBytes > maxFullBytes ? undefined : fullRequest?.('on');
				return write({kind: 'approval', request, argumentsHash, fullRequest: whole}, {signal});
			},
			end: ({id}, outcome) => end(id, approvalEnd(outcome)),
		},
		questions: {
			...shared,
			write: (request, {signal}) => write({kind: 'question', request, argumentsHash: ''}, {signal}),
			end: ({id}, outcome) => end(id, questionEnd(outcome)),
		},
	};
}

/** True if the card of a request shows all of it. */
export function isShownInFull({cutBytes, tool, description}: ApprovalRequest): boolean {
	return cutBytes === 0 && !isHead(tool) && !isHead(description);
}

/** The end of an approval, as its row has it. */
export function approvalEnd(outcome: ApprovalOutcome): RequestEnd {
	return {
		kind: outcome.kind,
		...('scope' in outcome && {scope: outcome.scope}),
		...('message' in outcome && {message: outcome.message}),
		...('by' in outcome && {by: outcome.by}),
	};
}

/** The end of a question, as its row has it. */
export function questionEnd(outcome: QuestionOutcome): RequestEnd {
	return {
		kind: outcome.kind,
		...('values' in outcome && {values: outcome.values}),
		...('message' in outcome && {message: outcome.message}),
		...('by' in outcome && {by: outcome.by}),
	};
}
