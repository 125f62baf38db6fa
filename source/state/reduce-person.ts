import {withAnswered, withFinished} from './answered.ts';
import {type RequestDeadline} from './approval-event.ts';
import {type GatewayEvent} from './event.ts';
import {putRow, sameNamed, unstamped} from './keyed-rows.ts';
import {type PersonEvent} from './person-event.ts';
import {type Snapshot} from './snapshot.ts';

type PublishedEvent = Extract<GatewayEvent, PersonEvent>;

/** More pending approvals or questions than this are not shown until earlier ones are settled. */
const shownRequests = 1000;
const shownLogins = 200;

/** The snapshot after one more event about requests to a person, oldest first. A request that is published again replaces itself. */
export function personEvent(snapshot: Snapshot, event: PublishedEvent): Snapshot {
	switch (event.type) {
		case 'approval.requested':
			return {...snapshot, approvals: putRequest(snapshot.approvals, unstamped(event))};
		case 'approval.deadline':
			return {...snapshot, approvals: withDeadline(snapshot.approvals, event)};
		case 'approval.settled':
			return {...snapshot, approvals: without(snapshot.approvals, event.id)};
		case 'question.asked':
			return {...snapshot, questions: putRequest(snapshot.questions, unstamped(event))};
		case 'question.deadline':
			return {...snapshot, questions: withDeadline(snapshot.questions, event)};
		case 'question.settled':
			return withAnswered({...snapshot, questions: without(snapshot.questions, event.id)}, event);
		case 'remote.sent':
			return withSent(snapshot, event);
		case 'question.finished':
			return withFinished(snapshot, event.id);
		case 'proposal.asked':
			return {...snapshot, proposals: putRequest(snapshot.proposals, unstamped(event))};
		case 'proposal.settled':
			return {...snapshot, proposals: without(snapshot.proposals, event.id)};
		case 'login.state': {
			const row = {...unstamped(event), changedAt: event.time};
			const isSame = sameNamed('server', row);
			return {...snapshot, logins: putRow(snapshot.logins, row, {isSame, limit: shownLogins})};
		}
	}
}

/** The messages about a request in chats; without any it has no row. */
function withSent(snapshot: Snapshot, {id, messages}: Extract<PublishedEvent, {type: 'remote.sent'}>): Snapshot {
	const others = without(snapshot.sent, id);
	return {...snapshot, sent: messages.length === 0 ? others : [...others, {id, messages}].slice(-shownRequests)};
}

/** Here the oldest stay: who waited longest is answered first. */
function putRequest<Row extends {readonly id: string}>(rows: readonly Row[], row: Row): readonly Row[] {
	const known = rows.findIndex(other => other.id === row.id);
	return known === -1 ? [...rows, row].slice(0, shownRequests) : rows.with(known, row);
}

/** The rows with another deadline of one of them. */
function withDeadline<Row extends RequestDeadline & {readonly id: string}>(
	rows: readonly Row[],
	{id, expiresAt, left}: RequestDeadline & {readonly id: string},
): readonly Row[] {
	const index = rows.findIndex(row => row.id === id);
	const row = rows[index];
	if (!row) {
		return rows;
	}

	const {left: _, ...rest} = row;
	return rows.with(index, {...rest, expiresAt, ...(left !== undefined && {left})} as Row);
}

function without<Row extends {readonly id: string}>(rows: readonly Row[], id: string): readonly Row[] {
	return rows.filter(row => row.id !== id);
}
