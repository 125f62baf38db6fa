import {createInterface} from 'node:readline';
import {type Send, type ReadWhole} from '../../state/command.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {isPersonEvent} from '../../state/person-event.ts';
import {personEvent} from '../../state/reduce-person.ts';
import {emptySnapshot, type Snapshot} from '../../state/snapshot.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {dialogLines, dialogPrompt, dialogStep, isWaiting, nextDialog} from './numbered-dialog.ts';
import {type NumberedDialog} from './numbered-step.ts';

export type NumberedQuestionsOptions = {
	readonly eventBus: Pick<EventBus, 'listen'>;
	readonly send: Send;
	/** Reads all of a request from the gateway of this process. */
	readonly readWhole?: ReadWhole;
	readonly clock: Pick<Clock, 'elapsed' | 'after'>;
	readonly input: NodeJS.ReadableStream;
	readonly write: (line: string) => void;
};

/** A line that was typed before its question could be heard is not meant for it. */
const earlyMilliseconds = 1000;

/** Other lines push what is asked out of hearing. It is said again once they have paused, and in the end even if they do not. */
const pauseMilliseconds = 2000;
const longestMilliseconds = 15_000;

/** Asks what waits for a person as numbered questions, one at a time, for a terminal that reads lines aloud. The returned function ends that. */
export function openNumberedQuestions(options: NumberedQuestionsOptions): () => void {
	const {eventBus, send, readWhole, clock, input, write} = options;
	let waiting: Snapshot = emptySnapshot;
	let dialog: NumberedDialog | undefined;
	let askedAt = 0;
	let heardAt: number | undefined;
	let repeat: Timer | undefined;

	const say = (lines: readonly string[]) => {
		for (const line of lines) {
			write(line);
		}
	};

	const sayAgain = () => {
		heardAt = undefined;
		if (dialog && isWaiting(dialog, waiting)) {
			say(dialogPrompt(dialog, waiting));
		}
	};

	const sayAgainSoon = () => {
		const now = clock.elapsed();
		heardAt ??= now;
		repeat?.cancel();
		repeat = clock.after(Math.max(0, Math.min(pauseMilliseconds, heardAt + longestMilliseconds - now)), sayAgain);
	};

	const goOn = () => {
		if (dialog && isWaiting(dialog, waiting)) {
			sayAgainSoon();
			return;
		}

		repeat?.cancel();
		heardAt = undefined;
		dialog = nextDialog(waiting);
		if (dialog) {
			askedAt = clock.elapsed();
			say(dialogLines(dialog, waiting));
		}
	};

	const endListening = eventBus.listen(event => {
		if (isPersonEvent(event)) {
			waiting = personEvent(waiting, event);
			goOn();
		} else if (dialog) {
			sayAgainSoon();
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

		const step = dialogStep(dialog, typed, {...waiting, readWhole});
		dialog = step.dialog;
		say(step.lines);
		for (const command of step.commands) {
			send(command);
		}
	});
	return () => {
		endListening();
		repeat?.cancel();
		lines.close();
	};
}
