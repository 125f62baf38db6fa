import {createInterface} from 'node:readline';
import {type Send} from '../../state/command.ts';
import {type Hall} from '../../state/hall.ts';
import {isPersonEvent} from '../../state/person-event.ts';
import {personEvent} from '../../state/reduce-person.ts';
import {emptySnapshot, type Snapshot} from '../../state/snapshot.ts';
import {type Clock} from '../../util/clock.ts';
import {dialogLines, dialogStep, isWaiting, nextDialog} from './numbered-dialog.ts';
import {type NumberedDialog} from './numbered-step.ts';

export type NumberedQuestionsOptions = {
	readonly hall: Pick<Hall, 'listen'>;
	readonly send: Send;
	readonly clock: Pick<Clock, 'elapsed'>;
	readonly input: NodeJS.ReadableStream;
	readonly write: (line: string) => void;
};

/** A line that was typed before its question could be heard is not meant for it. */
const earlyMilliseconds = 1000;

/** Asks what waits for a person as numbered questions, one at a time, for a terminal that reads lines aloud. The returned function ends that. */
export function openNumberedQuestions(options: NumberedQuestionsOptions): () => void {
	const {hall, send, clock, input, write} = options;
	let waiting: Snapshot = emptySnapshot;
	let dialog: NumberedDialog | undefined;
	let askedAt = 0;

	const say = (lines: readonly string[]) => {
		for (const line of lines) {
			write(line);
		}
	};

	const goOn = () => {
		if (dialog && isWaiting(dialog, waiting)) {
			return;
		}

		dialog = nextDialog(waiting);
		if (dialog) {
			askedAt = clock.elapsed();
			say(dialogLines(dialog, waiting));
		}
	};

	const endListening = hall.listen(event => {
		if (isPersonEvent(event)) {
			waiting = personEvent(waiting, event);
			goOn();
		}
	});
	const lines = createInterface({input, terminal: false});
	lines.on('line', typed => {
		if (!dialog) {
			return;
		}

		if (clock.elapsed() - askedAt < earlyMilliseconds) {
			say(['Too early: that line was typed before the question. Type it again.']);
			return;
		}

		const step = dialogStep(dialog, typed, waiting);
		dialog = step.dialog;
		say(step.lines);
		for (const command of step.commands) {
			send(command);
		}
	});
	return () => {
		endListening();
		lines.close();
	};
}
