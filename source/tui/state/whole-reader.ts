import {type WholeRequest} from '../../state/approval-event.ts';
import {type ReadWhole, type WholeRequestQuery} from '../../state/command.ts';

/** All of a waiting request, as far as it is there: on its way from the gateway, read, or the gateway no longer has it. */
export type WholeAnswer =
	| {readonly kind: 'reading'}
	| {readonly kind: 'read'; readonly whole: WholeRequest}
	| {readonly kind: 'gone'};

/** Answers at once with what is known of a request, so that a frame can be drawn. */
export type WholeReader = (query: WholeRequestQuery) => WholeAnswer;

/** Reads a request once, however often it is drawn; without a gateway there is none. Only the last one is remembered. `onRead` is called when an answer has come. */
export function createWholeReader(readWhole: ReadWhole | undefined, onRead: () => void): WholeReader {
	let last: {readonly query: WholeRequestQuery; answer: WholeAnswer} | undefined;
	return query => {
		if (last && isSame(last.query, query)) {
			return last.answer;
		}

		const asked: typeof last = {query, answer: {kind: 'reading'}};
		last = asked;
		const take = async () => {
			const whole = await readWhole?.(query);
			asked.answer = whole ? {kind: 'read', whole} : {kind: 'gone'};
			if (last === asked) {
				onRead();
			}
		};

		void take();
		return asked.answer;
	};
}

function isSame(first: WholeRequestQuery, second: WholeRequestQuery): boolean {
	return first.id === second.id && first.profile === second.profile && first.masks === second.masks;
}
