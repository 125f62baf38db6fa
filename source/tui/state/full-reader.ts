import {type FullRequest} from '../../state/approval-event.ts';
import {type ReadFull, type FullRequestQuery} from '../../state/gateway-call.ts';

/** All of a waiting request, as far as it is there: on its way from the gateway, read, or the gateway no longer has it. */
export type FullAnswer =
	| {readonly kind: 'reading'}
	| {readonly kind: 'read'; readonly fullRequest: FullRequest}
	| {readonly kind: 'gone'};

/** Answers at once with what is known of a request, so that a frame can be drawn. */
export type FullReader = (query: FullRequestQuery) => FullAnswer;

type FullReaderOptions = {
	/** Absent: there is no gateway to ask. */
	readonly readFull: ReadFull | undefined;
	/** The connection of this console with its gateway, another object after each change. */
	readonly connection: () => object;
	/** An answer has come. */
	readonly onRead: () => void;
};

/**
Reads a request once, however often it is drawn; without a gateway there is none. Only the last one is remembered, and that a gateway does not have it
only as long as the connection is the same: one that was lost answers nothing.
*/
export function createFullReader({readFull, connection, onRead}: FullReaderOptions): FullReader {
	let last: {readonly query: FullRequestQuery; readonly asked: object; answer: FullAnswer} | undefined;
	return query => {
		const now = connection();
		if (last && isSame(last.query, query) && (last.answer.kind === 'read' || last.asked === now)) {
			return last.answer;
		}

		const reading: typeof last = {query, asked: now, answer: {kind: 'reading'}};
		last = reading;
		const take = async () => {
			const fullRequest = await readFull?.(query);
			reading.answer = fullRequest ? {kind: 'read', fullRequest} : {kind: 'gone'};
			if (last === reading) {
				onRead();
			}
		};

		void take();
		return reading.answer;
	};
}

function isSame(first: FullRequestQuery, second: FullRequestQuery): boolean {
	return first.id === second.id && first.profile === second.profile && first.masks === second.masks;
}
