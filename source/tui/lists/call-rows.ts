import {callEntity, latestCallEntity} from '../../state/entities/call.ts';
import {uncertainEntity} from '../../state/entities/uncertain.ts';
import {type CallRow, type ServerCalls, type UncertainRow} from '../../state/snapshot.ts';
import {type ServerCall} from '../../state/view-event.ts';
import {shownValue} from '../../util/shown-json.ts';
import {valueLines} from '../../util/values/value-lines.ts';
import {span} from '../text/span.ts';
import {valueRows} from '../text/value-rows.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberRows} from './list-row.ts';

/** The row of a call under way. */
export const callListRow = rememberRows((call: CallRow) => entityRow(callEntity, call));

/** The row of one of the latest calls of a server. */
export function serverCallRow(call: ServerCall, {server, profile}: Pick<ServerCalls, 'server' | 'profile'>): ListRow {
	return entityRow(latestCallEntity, {...call, server, profile});
}

/** The row of a call whose outcome is unknown. */
export const uncertainListRow = rememberRows((call: UncertainRow) =>
	entityRow(uncertainEntity, call, ({arguments: sent}, {width}) => [
		[],
		[span(' arguments as sent', 'dim')],
		...valueRows(valueLines(shownValue(sent), {form: 'lines'}).lines, width),
	]),
);
