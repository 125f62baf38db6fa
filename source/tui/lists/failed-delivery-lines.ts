import {type FailedDeliveryRow, type GatewayRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {shownId} from '../../util/id-part.ts';
import {type Line, span} from '../text/span.ts';
import {failingText, type StatusLabel} from '../../state/entities/status-text.ts';
import {type KeyNames, labelled, labelledStatus} from './list-row.ts';

/** The deliveries that fail at a route or a platform, for its row: what is seen from the other end is named. */
export type Failures = {
	readonly rows: readonly FailedDeliveryRow[];
	readonly nameOf: (row: FailedDeliveryRow) => string;
	/** Where a command reaches the journal that has the messages. */
	readonly gateway: GatewayRow;
};

/** Nothing fails there. */
export const noFailures: Failures = {rows: [], nameOf: () => '', gateway: {phase: 'starting'}};

/** `12 to telegram not delivered: status 403`: all failures of a row, and the reason of the last one. Empty when there are none. */
export function failuresNote({rows, nameOf}: Failures): string {
	const last = rows.toSorted((first, second) => first.lastAt - second.lastAt).at(-1);
	const count = rows.reduce((sum, {failures}) => sum + failures, 0);
	return last ? `${counted(count)} ${nameOf(last)} not delivered: ${last.reason}` : '';
}

/** The state of a row in its details: while deliveries fail, its own state alone would mislead. */
export function failuresStatus(status: StatusLabel, {rows}: Failures): Line {
	return rows.length === 0
		? labelledStatus('state', status)
		: labelledStatus('state', failingText, span(` (${status.word})`));
}

/** What failed, when and why, and what to do next. */
export function failuresDetail({rows, nameOf, gateway}: Failures, width: number, {named}: KeyNames): Line[] {
	const profile = gateway.phase === 'running' && gateway.profile !== 'default' ? ` --profile ${gateway.profile}` : '';
	return rows.flatMap(row => {
		const {failures, firstAt, lastAt, reason, eventId} = row;
		const since = failures === 1 ? `at ${timeOfDay(lastAt)}` : `since ${timeOfDay(firstAt)}, last ${timeOfDay(lastAt)}`;
		const again =
			eventId === '' ? '' : `sluice events replay ${shownId(eventId)} --deliver${profile} sends the last one again`;
		const next = [named('dismiss-deliveries', 'dismisses'), again, 'it is over when a later one arrives'];
		return [
			...labelled('failed', `${counted(failures)} ${nameOf(row)} ${since}: ${reason}`, width),
			...labelled('next', next.filter(Boolean).join('; '), width),
		];
	});
}

function counted(count: number): string {
	return count.toLocaleString('en-US');
}
