import {type DecisionRow, type Snapshot} from '../../state/snapshot.ts';
import {type SettledMode} from '../state/mode.ts';
import {own} from '../text/own-signs.ts';
import {approvalText} from '../text/status-text.ts';

/** What stays on the screen of a request that no longer waits: what became of it. */
export function settledRequest(cardId: string, snapshot: Snapshot): SettledMode {
	const decision = decisionOf(cardId, snapshot);
	const request = `request #${cardId.slice(0, 4)}`;
	return decision
		? {
				...settledMode,
				title: endWords(decision),
				what: decisionWords(decision),
				why: `${request} ${own`·`} ${why(decision)}`,
			}
		: {...settledMode, title: 'The request is over', what: '', why: `${request} no longer waits`};
}

/** The same for a question or an install proposal, of which the core says no more than that it is settled. */
export function settledSubject(subject: 'question' | 'install proposal'): SettledMode {
	return {...settledMode, title: `The ${subject} is over`, what: '', why: 'it was withdrawn or answered elsewhere'};
}

/** What became of a request; undefined when that is not known any more. */
export function decisionOf(cardId: string, snapshot: Snapshot): DecisionRow | undefined {
	return snapshot.decisions.findLast(row => row.id === cardId);
}

/** The end of a request in one line. */
export function decisionWords({outcome, scope, server, tool}: DecisionRow): string {
	const {glyph, word} = approvalText[outcome];
	return `${glyph} ${word}${scope ? ` (${scope})` : ''}: ${server}/${tool}`;
}

const settledMode = {kind: 'settled', scroll: 0} as const;

function endWords({outcome, by}: DecisionRow): string {
	if (outcome === 'approved' || outcome === 'denied') {
		return by === 'dashboard' ? 'The request is answered' : 'The request was answered elsewhere';
	}

	return outcome === 'timed_out' ? 'The request has expired' : 'The request was withdrawn';
}

function why({outcome, by, message}: DecisionRow): string {
	const said = message === undefined || message === '' ? '' : `: ${message}`;
	switch (outcome) {
		case 'approved':
		case 'denied':
			return `answered by ${by ?? 'somebody else'}${said}`;
		case 'timed_out':
			return 'nobody answered in time';
		case 'no_channel':
			return 'there was nobody to ask';
		case 'cancelled':
			return by === undefined ? 'whoever asked does not wait for it any more' : `cancelled by ${by}`;
	}
}
