import {createInterface} from 'node:readline';
import {type WholeRequest} from '../../state/approval-event.ts';
import {type ReadWhole, type Send, type WholeRequestQuery} from '../../state/command.ts';
import {type EventBus} from '../../state/event-bus.ts';
import {isPersonEvent} from '../../state/person-event.ts';
import {personEvent} from '../../state/reduce-person.ts';
import {statusEvent} from '../../state/reduce-status.ts';
import {seenRequest} from '../../state/seen-request.ts';
import {emptySnapshot, type Snapshot} from '../../state/snapshot.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {holdLines, holdPrompt, holdStep, nothingAsked, typedHold} from './numbered-hold.ts';
import {approvalLines, approvalPrompt, asksForWhole, approvalStep} from './numbered-approval.ts';
import {proposalLines, proposalPrompt, proposalStep} from './numbered-proposal.ts';
import {openNumberedForm, questionLines, questionPrompt, questionStep} from './numbered-question.ts';
import {type NumberedDialog, type NumberedStep} from './numbered-step.ts';

export type NumberedQuestionsOptions = {
	readonly eventBus: Pick<EventBus, 'listen'>;
	readonly send: Send;
	/** Reads all of a request from the gateway. */
	readonly readWhole?: ReadWhole;
	readonly clock: Pick<Clock, 'elapsed' | 'after'>;
	readonly input: NodeJS.ReadableStream;
	readonly write: (line: string) => void;
};

/** What waits for a person. */
type Waiting = Pick<Snapshot, 'approvals' | 'questions' | 'proposals' | 'hold'>;

/** A line that was typed before its question could be heard is not meant for it. */
const earlyMilliseconds = 1000;

/** Other lines push what is asked out of hearing. It is said again once they have paused, and in the end even if they do not. */
const pauseMilliseconds = 2000;

const longestMilliseconds = 15_000;

/** Asks what waits for a person as numbered questions, one at a time, for a terminal that reads lines aloud. The returned function ends that. */
export function openNumberedQuestions(options: NumberedQuestionsOptions): () => void {
	const {eventBus, send, readWhole, clock, input, write} = options;
	let waiting: Snapshot = emptySnapshot;
	/** What waited when the dialog was read out. */
	let heard: Snapshot = emptySnapshot;
	let dialog: NumberedDialog | undefined;
	let askedAt = 0;

	const say = (lines: readonly string[]) => lines.forEach(line => write(line));

	const repeat = createRepeat(clock, () => {
		if (dialog && isWaiting(dialog, waiting)) {
			say(dialogPrompt(dialog, waiting));
		}
	});

	const isAsHeard = (asked: NumberedDialog) => requestOf(asked, waiting) === requestOf(asked, heard);

	const goOn = () => {
		const isOvertaken = dialog?.kind === 'hold' && nextDialog(waiting)?.kind !== 'hold';
		if (dialog && isWaiting(dialog, waiting) && isAsHeard(dialog) && !isOvertaken) {
			repeat.soon();
			return;
		}

		repeat.cancel();
		dialog = nextDialog(waiting);
		heard = waiting;
		if (dialog) {
			askedAt = clock.elapsed();
			say(dialogLines(dialog, waiting));
		}
	};

	const endListening = eventBus.listen(event => {
		if (isPersonEvent(event) || event.type === 'hold.state') {
			waiting = isPersonEvent(event) ? personEvent(waiting, event) : statusEvent(waiting, event);
			goOn();
		} else if (dialog) {
			repeat.soon();
		}
	});
	const lines = createInterface({input, terminal: false});
	const take = (typed: string, whole?: WholeRequest) => {
		if (dialog) {
			const step = dialogStep(dialog, typed, {...waiting, whole});
			dialog = step.dialog;
			say(step.lines);
			step.commands.forEach(command => send({...command, seen: seenRequest(command, heard)}));
		}
	};

	const isEarly = () => clock.elapsed() - askedAt < earlyMilliseconds;
	lines.on('line', line => {
		const typed = line.trim();
		const reason = dialog && takesText(dialog) ? undefined : typedHold(typed);
		if (reason !== undefined && !waiting.hold) {
			send({type: 'hold', reason});
		} else if (dialog && isEarly()) {
			say(['That line was typed before the question was shown. Type it again.']);
		} else if (dialog) {
			const asked = dialog;
			const query = wholeQuery(asked, typed, waiting);
			void (query ? readWhole?.(query).then(whole => dialog === asked && take(typed, whole)) : take(typed));
		} else {
			say([nothingAsked]);
		}
	});
	return () => {
		endListening();
		repeat.cancel();
		lines.close();
	};
}

/** Says something again once other lines have paused, and in the end even if they do not. */
function createRepeat(clock: NumberedQuestionsOptions['clock'], say: () => void) {
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

/** What has to be read from the gateway before a typed line can be followed: all of the request, where the line asks to hear it. */
function wholeQuery(dialog: NumberedDialog, typed: string, {approvals}: Waiting): WholeRequestQuery | undefined {
	const request = approvals.find(({id}) => id === dialog.id);
	return request && dialog.kind === 'approval' && asksForWhole(dialog, typed)
		? {id: request.id, profile: request.profile, masks: 'on'}
		: undefined;
}

/** Whether a dialog waits for words, not for a number. */
function takesText(dialog: NumberedDialog): boolean {
	switch (dialog.kind) {
		case 'approval':
			return dialog.page === 'reason';
		case 'question':
			return typeof dialog.form.at === 'number';
		case 'proposal':
			return dialog.page === 'name';
		case 'hold':
			return false;
	}
}

/** What is asked first: what waits longest, of whatever kind. A hold can wait until everything else is answered. */
function nextDialog(waiting: Waiting): NumberedDialog | undefined {
	const dialogs: ReadonlyArray<{readonly at: number; readonly dialog: NumberedDialog}> = [
		...waiting.approvals.map(({id, requestedAt}) => ({
			at: requestedAt,
			dialog: {kind: 'approval', id, page: 'choose', read: 'card'} as const,
		})),
		...waiting.questions.map(request => ({
			at: request.requestedAt,
			dialog: {kind: 'question', id: request.id, form: openNumberedForm(request)} as const,
		})),
		...waiting.proposals.map(({id, requestedAt}) => ({
			at: requestedAt,
			dialog: {kind: 'proposal', id, page: 'choose'} as const,
		})),
	];
	const [first] = dialogs.toSorted((one, other) => one.at - other.at);
	return first?.dialog ?? (waiting.hold && {kind: 'hold', id: waiting.hold.hash, page: 'choose'});
}

/** Whether what is asked still waits. */
function isWaiting(dialog: NumberedDialog, waiting: Waiting): boolean {
	return requestOf(dialog, waiting) !== undefined;
}

/** What is asked about; one that was published again is another object. A hold stays the same, however much waits for its release. */
function requestOf({kind, id}: NumberedDialog, waiting: Waiting): object | string | undefined {
	if (kind === 'hold') {
		return waiting.hold?.hash === id ? id : undefined;
	}

	const rows: ReadonlyArray<{readonly id: string}> = {
		approval: waiting.approvals,
		question: waiting.questions,
		proposal: waiting.proposals,
	}[kind];
	return rows.find(row => row.id === id);
}

/** What is asked, in lines to be read out; the last ones are the numbered answers. */
function dialogLines(dialog: NumberedDialog, waiting: Waiting): readonly string[] {
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			return request ? approvalLines(dialog, request) : [];
		}

		case 'question': {
			const request = waiting.questions.find(({id}) => id === dialog.id);
			return request ? questionLines(request) : [];
		}

		case 'proposal': {
			const request = waiting.proposals.find(({id}) => id === dialog.id);
			return request ? proposalLines(request) : [];
		}

		case 'hold':
			return waiting.hold ? holdLines(waiting.hold) : [];
	}
}

/** What is asked, in few lines, for a listener who heard other lines since. */
function dialogPrompt(dialog: NumberedDialog, waiting: Waiting): readonly string[] {
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			return request ? approvalPrompt(dialog, request) : [];
		}

		case 'question': {
			const request = waiting.questions.find(({id}) => id === dialog.id);
			return request ? questionPrompt(dialog, request) : [];
		}

		case 'proposal': {
			const request = waiting.proposals.find(({id}) => id === dialog.id);
			return request ? proposalPrompt(dialog, request) : [];
		}

		case 'hold':
			return waiting.hold ? holdPrompt(dialog, waiting.hold) : [];
	}
}

/** What a typed line does. Nothing but a number that was offered decides. */
function dialogStep(
	dialog: NumberedDialog,
	text: string,
	waiting: Waiting & {readonly whole?: WholeRequest | undefined},
): NumberedStep {
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			const {whole} = waiting;
			return request ? approvalStep(dialog, text, {request, whole}) : nothing(dialog);
		}

		case 'question': {
			const request = waiting.questions.find(({id}) => id === dialog.id);
			return request ? questionStep(dialog, text, request) : nothing(dialog);
		}

		case 'proposal': {
			const request = waiting.proposals.find(({id}) => id === dialog.id);
			return request ? proposalStep(dialog, text, request) : nothing(dialog);
		}

		case 'hold':
			return holdStep(dialog, text);
	}
}

function nothing(dialog: NumberedDialog): NumberedStep {
	return {dialog, commands: [], lines: []};
}
