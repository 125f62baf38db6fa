import {type AnsweredRow, type Snapshot} from './snapshot.ts';

const shownAnswered = 200;

/** The latest ends after one more; the newest is the last. */
export function withAnswered(snapshot: Snapshot, event: AnsweredRow): Snapshot {
	return {...snapshot, answered: [...snapshot.answered, event].slice(-shownAnswered)};
}

/** The same after the server said that the page of an answered question is finished with. */
export function withFinished(snapshot: Snapshot, id: string): Snapshot {
	const index = snapshot.answered.findLastIndex(row => row.type === 'question.settled' && row.id === id);
	const row = snapshot.answered[index];
	return row?.type === 'question.settled'
		? {...snapshot, answered: snapshot.answered.with(index, {...row, page: 'finished'})}
		: snapshot;
}

/** The end of the question or call with this id; undefined if not known. */
export function findAnswered({answered}: Snapshot, id: string): AnsweredRow | undefined {
	return answered.findLast(row => answeredId(row) === id);
}

/** The id of the question or call. */
function answeredId(row: AnsweredRow): string {
	return row.type === 'question.settled' ? row.id : row.callId;
}

/** The outcome of a question or an uncertain call, with the person that decided. */
export function answeredWords(row: AnsweredRow): string {
	if (row.type !== 'question.settled') {
		return resolutionWords(row);
	}

	return row.page === 'finished' ? `${questionWords(row)}, and the page is finished with` : questionWords(row);
}

/** The end of a question, in words. */
export function questionWords({
	outcome,
	by,
}: Pick<Extract<AnsweredRow, {type: 'question.settled'}>, 'outcome' | 'by'>): string {
	switch (outcome) {
		case 'answered':
		case 'declined':
			return `${outcome}${byWhom(by)}`;
		case 'cancelled':
			return by === undefined ? 'withdrawn: the caller is no longer waiting' : `cancelled${byWhom(by)}`;
		case 'timed_out':
			return 'not answered in time';
		case 'no_channel':
			return 'refused, because nobody could be asked';
	}
}

const resolutionText = {done: 'marked as done', not_done: 'marked as not done', repeated: 'repeated'} as const;

/** A person's decision about an uncertain call, in words. */
export function resolutionWords({
	resolution,
	by,
}: Pick<Extract<AnsweredRow, {type: 'call.resolved'}>, 'resolution' | 'by'>): string {
	return `${resolutionText[resolution]}${byWhom(by)}`;
}

function byWhom(by: string | undefined): string {
	return by === undefined ? '' : ` by ${by}`;
}
