import {type GatewayEvent} from './event.ts';
import {type ServerRow} from './snapshot.ts';

type Named = {readonly profile: string; readonly server: string};

/** The servers after one of them changed; a new one comes last. */
export function serverState(
	rows: readonly ServerRow[],
	event: Extract<GatewayEvent, {type: 'server.state'}>,
): readonly ServerRow[] {
	const {type: _type, seq: _seq, time, ...state} = event;
	const known = rows.findIndex(row => isSame(row, event));
	const changedAt = known !== -1 && rows[known]?.state === state.state ? rows[known].changedAt : time;
	const row: ServerRow = {...state, changedAt};
	return known === -1 ? [...rows, row] : rows.with(known, row);
}

/** The servers after one of them left the configuration. */
export function serverRemoved(rows: readonly ServerRow[], removed: Named): readonly ServerRow[] {
	return rows.filter(row => !isSame(row, removed));
}

function isSame(first: Named, second: Named): boolean {
	return first.server === second.server && first.profile === second.profile;
}
