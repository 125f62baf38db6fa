import {type Snapshot} from '../state/snapshot.ts';
import {pendingWork} from './order-keys.ts';
import {type Line, lineWithEnd, span} from './span.ts';
import {type Question} from './ui-state.ts';

/** A question with its answers; the answers stay visible however narrow the line is. */
export function questionLine(question: Question, snapshot: Snapshot, width: number): Line {
	const answers = [span('  y', 'accent'), span(' yes  ', 'dim'), span('n', 'accent'), span(' no', 'dim')];
	return lineWithEnd([span(` ${questionWords(question, snapshot)}`, 'busy')], answers, width);
}

/** What a yes would do, said before it is done. */
function questionWords(question: Question, snapshot: Snapshot): string {
	switch (question.kind) {
		case 'quit': {
			return quitWords(pendingWork(snapshot));
		}

		case 'set-enabled':
			return question.enabled
				? `Enable ${question.server}? It connects and offers its tools.`
				: `Disable ${question.server}? It disconnects and its tools are gone.`;
		case 'start-demo':
			return 'The demo takes the place of this gateway until Sluice is started again. Start it?';
		case 'close-item':
			return 'Close this inbox item? It is not kept in the inbox.';
	}
}

/** What a stop would cut off; what is not there is not named. */
function quitWords({approvals, runs}: ReturnType<typeof pendingWork>): string {
	const losses = [
		...(approvals > 0 ? [`${counted(approvals, 'waiting approval')} will be cancelled`] : []),
		...(runs > 0 ? [`${counted(runs, 'run')} will be cut off`] : []),
	];
	return losses.length === 0 ? 'Quit?' : `Quit? ${losses.join(', ')}.`;
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
