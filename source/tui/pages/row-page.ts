import {type GatewayCall} from '../../state/gateway-call.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {type ViewName} from '../lists/view-table.ts';
import {type Mode, type RowMode} from '../state/mode.ts';
import {isPart} from './page-lines.ts';
import {shownTrace, traceCall} from './trace-page.ts';
import {detailPage, pageCall, tracedRow} from './traced-row.ts';

/** The page of a row that is only read: its trace, or its details. Without a gateway, what the row knows is all there is. */
export function rowPage(
	view: ViewName,
	rowId: string,
	{snapshot, behind}: {readonly snapshot: Snapshot; readonly behind: Mode},
): RowMode {
	const traced = snapshot.console.state === 'lost' ? undefined : tracedRow(view, rowId, snapshot);
	return traced
		? {kind: 'trace', id: rowId, subject: traced.subject, profile: traced.profile, picked: 'subject', behind}
		: {kind: 'detail', id: rowId, scroll: 0};
}

/** The call that asks for what is open; undefined where the gateway was not asked, or does not repeat it. */
export function callOfMode(mode: Mode, view: ViewName, snapshot: Snapshot): GatewayCall | undefined {
	if (mode.kind === 'trace') {
		return traceCall(mode);
	}

	if (mode.kind === 'detail') {
		const stored = detailPage(view, mode.id, snapshot);
		return stored && pageCall(stored.subject, stored.profile, mode.part);
	}

	if (mode.kind !== 'page' || mode.profile === undefined || mode.subject.kind === 'dry-run') {
		return undefined;
	}

	return pageCall(mode.subject, mode.profile, mode.part);
}

/** True if the gateway has sent what the page of a row shows of it. */
export function hasContent(mode: RowMode, view: ViewName, snapshot: Snapshot): boolean {
	if (mode.kind === 'trace') {
		return shownTrace(mode, snapshot) !== undefined;
	}

	const stored = detailPage(view, mode.id, snapshot);
	return !stored || (snapshot.page !== undefined && isPart(snapshot.page, stored.subject, mode.part ?? 1));
}
