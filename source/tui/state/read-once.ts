import {type WholeRequest} from '../../state/approval-event.ts';
import {type ReadWhole, type WholeRequestQuery} from '../../state/command.ts';

/** Reads a request once, however often it is drawn. Only the one that was asked for last is kept. */
export function readOnce(readWhole: ReadWhole): ReadWhole {
	let last: {readonly query: WholeRequestQuery; readonly whole: WholeRequest} | undefined;
	return query => {
		const isSame =
			last?.query.id === query.id && last.query.profile === query.profile && last.query.masks === query.masks;
		if (!isSame) {
			const whole = readWhole(query);
			last = whole && {query, whole};
		}

		return last?.whole;
	};
}
