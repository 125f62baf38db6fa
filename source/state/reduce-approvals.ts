import {type GatewayEvent} from './event.ts';
import {type ApprovalRow} from './snapshot.ts';

/** More pending approvals than this are not shown until earlier ones are settled. */
const shownApprovals = 1000;

/** Pending approvals after a request, oldest first. The same request told again replaces itself. */
export function approvalRequested(
	rows: readonly ApprovalRow[],
	event: Extract<GatewayEvent, {type: 'approval.requested'}>,
): readonly ApprovalRow[] {
	const {type: _type, seq: _seq, time: _time, ...row} = event;
	const known = rows.findIndex(other => other.id === row.id);
	return known === -1 ? [...rows, row].slice(0, shownApprovals) : rows.with(known, row);
}

/** Pending approvals after one of them was settled. */
export function approvalSettled(rows: readonly ApprovalRow[], id: string): readonly ApprovalRow[] {
	return rows.filter(row => row.id !== id);
}
