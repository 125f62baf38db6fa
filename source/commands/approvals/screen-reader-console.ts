import {createInterface} from 'node:readline';
import {type FullRequest} from '../../state/approval-event.ts';
import {withVersion, type GatewayClient} from '../../state/gateway-call.ts';
import {createCallMaker, createKeyNotes, createReadFull} from '../../state/make-calls.ts';
import {type ShownProposal} from '../../state/view-event.ts';
import {type GatewayEvent} from '../../state/event.ts';
import {isPersonEvent} from '../../state/person-event.ts';
import {personEvent} from '../../state/reduce-person.ts';
import {statusEvent} from '../../state/reduce-status.ts';
import {isRunEvent, runRows} from '../../state/reduce-work.ts';
import {emptySnapshot, type Snapshot} from '../../state/snapshot.ts';
import {waitingCount} from '../../state/waiting.ts';
import {type Clock} from '../../util/clock.ts';
import {
	createAgainTimer,
	dialogLines,
	dialogPrompt,
	dialogStep,
	isStillAsked,
	lapsedStep,
	nextDialog,
	takesText,
	fullQuery,
} from './screen-reader-dialog.ts';
import {type HeldLines} from './held-lines.ts';
import {takeProposal} from './screen-reader-rule.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';
import {createTakeWord, nothingAsked, typedWord} from './screen-reader-words.ts';

/** The client, whose refused calls are also log lines, and the terminal. */
export type ScreenReaderConsoleOptions = GatewayClient & {
	readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
	readonly input: NodeJS.ReadableStream;
	readonly write: (line: string) => void;
	/** The log, whose lines wait while something is asked. */
	readonly log: Pick<HeldLines, 'hold' | 'release'>;
	/** Sounds with a question that is asked because more is waiting; default: silent. */
	readonly bell?: 'sounds' | 'silent';
};

/** A sound, or a mark on the terminal's tab, as the terminal is set. */
const bellSequence = '\u0007';

/** The question on the terminal, if any. */
type ConsoleState = {
	waiting: Snapshot;
	/** The snapshot at the time the dialog was read out. */
	heard: Snapshot;
	dialog: ScreenReaderDialog | undefined;
	askedAt: number;
};

/** A line that was typed before its question could be heard is not meant for it. */
const earlyMilliseconds = 1000;

/** Asks what waits for a person as numbered questions, one at a time, for a terminal that reads lines aloud. The returned function ends that. */
export function openScreenReaderConsole(options: ScreenReaderConsoleOptions): () => void {
	const {call, subscribe, clock, input, write, log, bell = 'silent'} = options;
	const readFull = createReadFull(call);
	const now: ConsoleState = {waiting: emptySnapshot, heard: emptySnapshot, dialog: undefined, askedAt: 0};

	const say = (lines: readonly string[]) => lines.forEach(line => write(line));

	const takeRule = (proposal: ShownProposal) => {
		const taken = now.dialog?.kind === 'rule' ? takeProposal(now.dialog, proposal) : undefined;
		now.dialog = taken?.dialog ?? now.dialog;
		now.askedAt = taken?.isNew ? clock.elapsed() : now.askedAt;
		say(taken?.lines ?? []);
	};

	const calls = createCallMaker({call, show: view => view.type === 'view.rule-proposal' && takeRule(view)});
	const again = createAgainTimer(clock, asked => follow(lapsedStep(asked, now.waiting)));
	const follow = (step: ScreenReaderStep) => {
		now.dialog = step.dialog;
		say(step.lines);
		step.calls.forEach(asked => calls.make(withVersion(asked, now.heard)));
		again.follow(now.dialog);
	};

	/** Lines of the log come before a question, and after its end. */
	const goOn = (isMore: boolean) => {
		if (now.dialog && isStillAsked(now.dialog, now.waiting, now.heard)) {
			return;
		}

		now.dialog = nextDialog(now.waiting);
		again.follow(now.dialog);
		now.heard = now.waiting;
		log.release();
		if (now.dialog) {
			now.askedAt = clock.elapsed();
			say(withBell(dialogLines(now.dialog, now.waiting), isMore ? bell : 'silent'));
			log.hold();
		}
	};

	const sayPrompt = () => say(now.dialog ? dialogPrompt(now.dialog, now.waiting) : []);
	const endListening = subscribe(
		event => {
			const before = waitingCount(now.waiting);
			now.waiting = waitingAfter(now.waiting, event);
			goOn(waitingCount(now.waiting) > before);
		},
		({runs}) => void (now.waiting = {...now.waiting, runs}),
	);
	const takeWord = createTakeWord({...options, now, calls, say, sayPrompt});
	const take = (typed: string, whole?: FullRequest) =>
		now.dialog && follow(dialogStep(now.dialog, typed, {...now.waiting, fullRequest: whole}));

	const onKey = createKeyNotes(call, clock);
	const lines = createInterface({input, terminal: false}).on('line', line => {
		onKey();
		const typed = line.trim();
		const word = now.dialog && takesText(now.dialog) ? undefined : typedWord(typed);
		if (word) {
			takeWord(word);
		} else if (now.dialog && clock.elapsed() - now.askedAt < earlyMilliseconds) {
			say(['That line was typed before the question was shown. Type it again.']);
		} else if (now.dialog) {
			const asked = now.dialog;
			const query = fullQuery(asked, typed, now.waiting);
			void (query ? readFull(query).then(whole => now.dialog === asked && take(typed, whole)) : take(typed));
		} else {
			say(nothingAsked);
		}
	});
	return () => {
		endListening();
		again.cancel();
		log.release();
		lines.close();
	};
}

function withBell([first = '', ...rest]: readonly string[], bell: 'sounds' | 'silent'): readonly string[] {
	return [`${bell === 'sounds' ? bellSequence : ''}${first}`, ...rest];
}

/** The snapshot of requests and runs after one more event. */
function waitingAfter(waiting: Snapshot, event: GatewayEvent): Snapshot {
	if (isPersonEvent(event)) {
		return personEvent(waiting, event);
	}

	if (event.type === 'hold.state') {
		return statusEvent(waiting, event);
	}

	return isRunEvent(event) ? {...waiting, runs: runRows(waiting.runs, [event])} : waiting;
}
