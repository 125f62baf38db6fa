import {maxCandidates, readNamedId} from '../util/id-part.ts';
import {type Journal} from './journal.ts';
import {type NamedRow} from './rows/id-slices.ts';

/**
The id of the row that a text names: all of its id, or a beginning or end that no other one of its kind has; undefined when there is none.
Rejects with `ambiguous_id`, and with `bad_usage` for too short a text.
*/
export async function findNamedRow(
	journal: Pick<Journal, 'findIds'>,
	of: NamedRow,
	part: string,
): Promise<string | undefined> {
	const found: string[] = [];
	let before: string | undefined;
	do {
		const {ids, next} = await journal.findIds({of, part, ...(before !== undefined && {before})});
		found.push(...ids);
		before = found.includes(part) || found.length > maxCandidates ? undefined : next;
	} while (before !== undefined);

	return readNamedId(found, part);
}
