import {type AskedRequest, type RequestEnd, type RequestRow} from '../journal/rows/request-rows.ts';
import {type ApprovalRequest, type AskingNode, type RequestDeadline} from '../state/approval-event.ts';
import {type Publish} from '../state/event.ts';
import {type QuestionDetails} from '../state/person-event.ts';
import {createBoundedMap} from '../util/limits/bounded-map.ts';
import {type Clock} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';
import {settledEvent} from './approval-queue.ts';
import {type ApprovalOutcome} from './approval-state.ts';
import {questionSettled} from './question-queue.ts';
import {type QuestionOutcome} from './question-state.ts';
import {createRecentRequests, type RecentRequests} from './recent-requests.ts';
import {deadlineEvent} from './waiting-time.ts';

/** The requests that wait for a person at other gateways of the journal, published here as if this one had asked. */
type PeerRequests = {
	/** Of one that is shown already only its gateway and its deadline can have changed. Without effect for one that cannot be shown. */
	readonly show: (row: RequestRow) => void;
	/** Without effect for one that is not shown. */
	readonly end: (id: string, end: RequestEnd) => void;
	/** This gateway has taken it over, and asks by itself. */
	readonly forget: (id: string) => void;
	readonly ids: () => readonly string[];
	/** Oldest first. */
	readonly approvals: () => readonly ApprovalRequest[];
	readonly questions: () => readonly QuestionDetails[];
	readonly recent: Pick<RecentRequests, 'list' | 'endOf'>;
};

/** More than a person can look through. */
const maxShown = 1000;

/** Creates an empty list; `node` is the name of this gateway. */
export function createPeerRequests(options: {
	readonly clock: Clock;
	readonly publish: Publish;
	readonly node: () => string | undefined;
}): PeerRequests {
	const {clock, publish, node} = options;
	const recent = createRecentRequests(clock);
	const shown = new Map<string, AskedRequest>();
	/** A look that began before an answer may still bring the row as it was. */
	const ended = createBoundedMap<string, 'ended'>({max: maxShown});
	const refused = createRefusedRows(publish);
	const publishAsked = (asked: AskedRequest) =>
		asked.kind === 'approval'
			? publish({type: 'approval.requested', ...asked.request})
			: publish({type: 'question.asked', ...asked.request});
	return {
		recent,
		ids: () => [...shown.keys()],
		forget: id => void shown.delete(id),
		show(row) {
			const asked = row.end || refused.isRefused(row) ? undefined : ofPeer(row, clock.now());
			if (asked && !shown.has(row.id) && !ended.has(row.id) && shown.size < maxShown) {
				shown.set(row.id, asked);
				recent.add(row.id);
				publishAsked(asked);
			}

			const before = shown.get(row.id);
			if (before && before.request.node !== row.node) {
				const moved = withChange(before, {node: row.node});
				shown.set(row.id, moved);
				publishAsked(moved);
			}

			const current = shown.get(row.id);
			const deadline = deadlineOf(row, clock.now());
			if (current && isOtherDeadline(current.request, deadline)) {
				shown.set(row.id, withChange(current, deadline));
				publish(deadlineEvent(current.kind, {id: row.id, ...deadline}));
			}
		},
		end(id, end) {
			const asked = shown.get(id);
			if (asked) {
				shown.delete(id);
				ended.set(id, 'ended');
			}

			if (asked?.kind === 'approval') {
				const outcome = approvalOutcome(end, node());
				recent.settle(id, outcome);
				publish(settledEvent(asked.request, outcome));
			} else if (asked) {
				publish(questionSettled(asked.request, questionOutcomeOf(end, node())));
			}
		},
		approvals: () => Array.from(shown.values()).flatMap(one => (one.kind === 'approval' ? [one.request] : [])),
		questions: () => Array.from(shown.values()).flatMap(one => (one.kind === 'question' ? [one.request] : [])),
	};
}

/** Refuses rows that are not of the request they have: an answer to what is shown would count for another one. Each is reported once. */
function createRefusedRows(publish: Publish) {
	const reported = new Set<string>();
	return {
		isRefused({id, node, argumentsHash, asked}: RequestRow): boolean {
			const hash = asked?.kind === 'approval' ? asked.request.argumentsHash : argumentsHash;
			if (!asked || (asked.request.id === id && hash === argumentsHash)) {
				return false;
			}

			if (!reported.has(id) && reported.size < maxShown) {
				reported.add(id);
				const text = `${id} of ${node} is not shown, because its row in the journal holds another request`;
				publish({type: 'log', level: 'warning', area: 'approvals', text: safeText(text, {maximumCharacters: 300})});
			}

			return true;
		},
	};
}

/** The request as this gateway shows it, with node and times of its row, by the clock here; undefined when the row has none that can be shown. */
function ofPeer(row: RequestRow, now: number): AskedRequest | undefined {
	const {node, asked, age} = row;
	const marks = {node, askedAt: 'another-node', requestedAt: now - age, ...deadlineOf(row, now)} as const;
	return asked && withChange(asked, marks);
}

type Marks = AskingNode & RequestDeadline & Pick<ApprovalRequest, 'requestedAt'>;

function withChange(asked: AskedRequest, change: Partial<Marks>): AskedRequest {
	return asked.kind === 'approval'
		? {kind: 'approval', request: {...asked.request, ...change}}
		: {kind: 'question', request: {...asked.request, ...change}};
}

function deadlineOf({left, time}: RequestRow, now: number): RequestDeadline {
	return time === 'running' ? {expiresAt: now + left, left: undefined} : {expiresAt: null, left};
}

/** The clocks of two machines differ a little from one reading to the next. */
const tolerableMilliseconds = 2000;

function isOtherDeadline(one: RequestDeadline, other: RequestDeadline): boolean {
	return one.expiresAt === null || other.expiresAt === null
		? one.expiresAt !== other.expiresAt || one.left !== other.left
		: Math.abs(one.expiresAt - other.expiresAt) > tolerableMilliseconds;
}

/** The author of an answer, with the gateway if that is another one. */
function answerer({by, byNode}: RequestEnd, node: string | undefined): string {
	const name = by ?? 'somebody';
	return byNode === undefined || byNode === node ? name : `${name} on ${byNode}`;
}

/** The outcome of an approval by its row, as the gateway `node` shows it. */
export function approvalOutcome(end: RequestEnd, node: string | undefined): ApprovalOutcome {
	const {kind, scope = 'once', message} = end;
	const because = message === undefined ? {} : {message};
	switch (kind) {
		case 'approved':
			return {kind, scope, by: answerer(end, node)};
		case 'denied':
			return {kind, by: answerer(end, node), ...because};
		case 'timed_out':
			return {kind};
		case 'no_channel':
			return {kind, ...because};
		case 'answered':
		case 'declined':
		case 'cancelled':
			return {kind: 'cancelled'};
	}
}

/** The outcome of a question by its row, as the gateway `node` shows it. */
export function questionOutcomeOf(end: RequestEnd, node: string | undefined): QuestionOutcome {
	const {kind, message = '', values = {}, by} = end;
	switch (kind) {
		case 'answered':
			return {kind, values, by: answerer(end, node)};
		case 'declined':
			return {kind, by: answerer(end, node)};
		case 'timed_out':
			return {kind};
		case 'no_channel':
			return {kind, message};
		case 'approved':
		case 'denied':
		case 'cancelled':
			return {kind: 'cancelled', ...(by !== undefined && {by: answerer(end, node)})};
	}
}
