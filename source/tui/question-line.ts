import {type Snapshot} from '../state/snapshot.ts';
import {type Question} from './mode.ts';
import {pendingWork} from './pending-work.ts';
import {type Line, lineWithEnd, span} from './span.ts';

/** A question with its answers; the answers stay visible however narrow the line is. */
export function questionLine(question: Question, snapshot: Snapshot, width: number): Line {
	const answers = [span('  y', 'accent'), span(' yes  ', 'dim'), span('n', 'accent'), span(' no', 'dim')];
	return lineWithEnd([span(` ${questionWords(question, snapshot)}`, 'busy')], answers, width);
}

/** What a yes would do, said before it is done. */
function questionWords(question: Question, snapshot: Snapshot): string {
	switch (question.kind) {
		case 'quit':
			return ['Quit?', pendingWork(snapshot).join(', ')].filter(Boolean).join(' ') + '.';
		case 'suspend':
			return 'Suspend? The gateway stands still until `fg`: webhooks and servers get no answer.';
		case 'set-enabled':
			return question.enabled
				? `Enable ${question.server}? It connects and offers its tools.`
				: `Disable ${question.server}? It disconnects and its tools are gone.`;
		case 'start-demo':
			return 'The demo takes the place of this gateway until Sluice is started again. Start it?';
		case 'cancel-question':
			return 'Cancel this question for good? No leaves it waiting.';
		case 'order':
			return question.words;
	}
}
