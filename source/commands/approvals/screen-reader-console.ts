import {createInterface} from 'node:readline';
import {type FullRequest} from '../../state/approval-event.ts';
import {type GatewayClient} from '../../state/api.ts';
import {withVersion} from '../../state/gateway-call.ts';
import {createCallMaker, createReadFull} from '../../state/make-calls.ts';
import {type ShownProposal} from '../../state/view-event.ts';
import {isPersonEvent} from '../../state/person-event.ts';
import {personEvent} from '../../state/reduce-person.ts';
import {statusEvent} from '../../state/reduce-status.ts';
import {emptySnapshot, type Snapshot} from '../../state/snapshot.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
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
import {nothingAsked, typedHold} from './screen-reader-hold.ts';
import {takeProposal} from './screen-reader-rule.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';

/** The client, whose refused calls are also log lines, and the terminal. */
export type ScreenReaderConsoleOptions = GatewayClient & {
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
export function openScreenReaderConsole(options: ScreenReaderConsoleOptions): () => void {
	const {call, subscribe, clock, input, write} = options;
	const readFull = createReadFull(call);
	let waiting: Snapshot = emptySnapshot;
	/** The snapshot at the time the dialog was read out. */
	let heard: Snapshot = emptySnapshot;
	let dialog: ScreenReaderDialog | undefined;
	let askedAt = 0;

	const say = (lines: readonly string[]) => lines.forEach(line => write(line));

	const takeRule = (proposal: ShownProposal) => {
		const taken = dialog?.kind === 'rule' ? takeProposal(dialog, proposal) : undefined;
		dialog = taken?.dialog ?? dialog;
		askedAt = taken?.isNew ? clock.elapsed() : askedAt;
		say(taken?.lines ?? []);
	};

	const calls = createCallMaker({call, show: view => view.type === 'view.rule-proposal' && takeRule(view)});
	const repeat = createRepeat(clock, () => say(dialog ? dialogPrompt(dialog, waiting) : []));
	const again = createAgainTimer(clock, asked => follow(lapsedStep(asked, waiting)));
	const follow = (step: ScreenReaderStep) => {
		dialog = step.dialog;
		say(step.lines);
		step.calls.forEach(asked => calls.make(withVersion(asked, heard)));
		again.follow(dialog);
	};

	const goOn = () => {
		if (dialog && isStillAsked(dialog, waiting, heard)) {
			repeat.soon();
			return;
		}

		repeat.cancel();
		dialog = nextDialog(waiting);
		again.follow(dialog);
		heard = waiting;
		if (dialog) {
			askedAt = clock.elapsed();
			say(dialogLines(dialog, waiting));
		}
	};

	const endListening = subscribe(event => {
		if (isPersonEvent(event) || event.type === 'hold.state') {
			waiting = isPersonEvent(event) ? personEvent(waiting, event) : statusEvent(waiting, event);
			goOn();
		} else if (dialog) {
			repeat.soon();
		}
	});
	const lines = createInterface({input, terminal: false});
	const take = (typed: string, whole?: FullRequest) =>
		dialog && follow(dialogStep(dialog, typed, {...waiting, fullRequest: whole}));

	lines.on('line', line => {
		const typed = line.trim();
		const reason = dialog && takesText(dialog) ? undefined : typedHold(typed);
		if (reason !== undefined && !waiting.hold) {
			calls.make({method: 'hold', params: {reason}});
		} else if (dialog && clock.elapsed() - askedAt < earlyMilliseconds) {
			say(['That line was typed before the question was shown. Type it again.']);
		} else if (dialog) {
			const asked = dialog;
			const query = fullQuery(asked, typed, waiting);
			void (query ? readFull(query).then(whole => dialog === asked && take(typed, whole)) : take(typed));
		} else {
			say([nothingAsked]);
		}
	});
	return () => {
		endListening();
		repeat.cancel();
		again.cancel();
		lines.close();
	};
}

/** Says something again once other lines have paused, and in the end even if they do not. */
function createRepeat(clock: ScreenReaderConsoleOptions['clock'], say: () => void) {
	let heardAt: number | undefined;
	let timer: Timer | undefined;
	const cancel = () => {
		timer?.cancel();
		heardAt = undefined;
	};

	return {
		cancel,
		soon() {
			const now = clock.elapsed();
			heardAt ??= now;
			timer?.cancel();
			timer = clock.after(Math.max(0, Math.min(pauseMilliseconds, heardAt + longestMilliseconds - now)), () => {
				cancel();
				say();
			});
		},
	};
}
