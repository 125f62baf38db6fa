import {type FullRequest} from '../../state/approval-event.ts';
import {type FullRequestQuery} from '../../state/gateway-call.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {secondPressMilliseconds} from '../../tui/state/second-press.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {approvalLines, approvalPrompt, approvalStep, asksForFull} from './screen-reader-approval.ts';
import {holdLines, holdPrompt, holdStep} from './screen-reader-hold.ts';
import {proposalLines, proposalPrompt, proposalStep} from './screen-reader-proposal.ts';
import {openFieldByFieldForm, questionLines, questionPrompt, questionStep} from './screen-reader-question.ts';
import {rulePrompt, ruleStep} from './screen-reader-rule.ts';
import {type ScreenReaderDialog, type ScreenReaderStep} from './screen-reader-step.ts';

/** The parts of a snapshot that wait for a person. */
type Waiting = Pick<Snapshot, 'approvals' | 'questions' | 'proposals' | 'hold'>;

/** The query that must be answered before a typed line takes effect: all of the request, if the line asks to hear it. */
export function fullQuery(
	dialog: ScreenReaderDialog,
	typed: string,
	{approvals}: Waiting,
): FullRequestQuery | undefined {
	const request = approvals.find(({id}) => id === dialog.id);
	return request && dialog.kind === 'approval' && asksForFull(dialog, typed)
		? {id: request.id, profile: request.profile, masks: 'on'}
		: undefined;
}

/** True if a dialog takes words instead of a number. */
export function takesText(dialog: ScreenReaderDialog): boolean {
	switch (dialog.kind) {
		case 'approval':
			return dialog.page === 'reason';
		case 'question':
			return typeof dialog.form.at === 'number';
		case 'proposal':
			return dialog.page === 'name';
		case 'rule':
		case 'hold':
			return false;
	}
}

/** A question whose own words are new to the listener waits longer for the same number again than one that repeats what was read out. */
const newTextSeconds = 60;

/** So long the same number again says yes to a question, as the dashboard asks for a key twice; undefined for one that asks nothing twice. */
function againSeconds(dialog: ScreenReaderDialog): number | undefined {
	switch (dialog.kind) {
		case 'approval':
			if (dialog.page === 'always') {
				return newTextSeconds;
			}

			return dialog.page === 'choose' || dialog.page === 'reason' ? undefined : secondPressMilliseconds / 1000;
		case 'rule':
			return dialog.page === 'store' ? newTextSeconds : undefined;
		case 'proposal':
		case 'hold':
			return dialog.page === 'again' ? secondPressMilliseconds / 1000 : undefined;
		case 'question':
			return undefined;
	}
}

/** Counts the time of each question for the same number again. */
export function createAgainTimer(clock: Pick<Clock, 'after'>, onLapse: (dialog: ScreenReaderDialog) => void) {
	let asked: ScreenReaderDialog | undefined;
	let timer: Timer | undefined;
	return {
		cancel: () => timer?.cancel(),
		follow(dialog: ScreenReaderDialog | undefined): void {
			if (dialog !== asked) {
				asked = dialog;
				timer?.cancel();
				const seconds = dialog && againSeconds(dialog);
				timer = dialog && seconds !== undefined ? clock.after(seconds * 1000, () => onLapse(dialog)) : undefined;
			}
		},
	};
}

/** The step once that time is over, as if another line had been typed. */
export function lapsedStep(dialog: ScreenReaderDialog, waiting: Waiting): ScreenReaderStep {
	const step = dialogStep(dialog, '', waiting);
	return {...step, lines: [`${againSeconds(dialog) ?? 0} s passed.`, ...step.lines]};
}

/** The first dialog: the request that has waited longest, of any kind. A hold comes after everything else. */
export function nextDialog(waiting: Waiting): ScreenReaderDialog | undefined {
	const dialogs: ReadonlyArray<{readonly at: number; readonly dialog: ScreenReaderDialog}> = [
		...waiting.approvals.map(({id, requestedAt}) => ({
			at: requestedAt,
			dialog: {kind: 'approval', id, page: 'choose', read: 'card'} as const,
		})),
		...waiting.questions.map(request => ({
			at: request.requestedAt,
			dialog: {kind: 'question', id: request.id, form: openFieldByFieldForm(request)} as const,
		})),
		...waiting.proposals.map(({id, requestedAt}) => ({
			at: requestedAt,
			dialog: {kind: 'proposal', id, page: 'choose'} as const,
		})),
	];
	const [first] = dialogs.toSorted((one, other) => one.at - other.at);
	return first?.dialog ?? (waiting.hold && {kind: 'hold', id: waiting.hold.hash, page: 'choose'});
}

/** True if a dialog can go on: its request waits as it was heard, and a dialog about the hold has no request before it. */
export function isStillAsked(dialog: ScreenReaderDialog, waiting: Waiting, heard: Waiting): boolean {
	const isOvertaken = dialog.kind === 'hold' && nextDialog(waiting)?.kind !== 'hold';
	const request = requestOf(dialog, waiting);
	return request !== undefined && request === requestOf(dialog, heard) && !isOvertaken;
}

/** The request of a dialog. A republished one is another object; a hold stays the same, however much waits for its release. */
function requestOf({kind, id}: ScreenReaderDialog, waiting: Waiting): object | string | undefined {
	if (kind === 'hold') {
		return waiting.hold?.hash === id ? id : undefined;
	}

	const rows: ReadonlyArray<{readonly id: string}> = {
		approval: waiting.approvals,
		rule: waiting.approvals,
		question: waiting.questions,
		proposal: waiting.proposals,
	}[kind];
	return rows.find(row => row.id === id);
}

/** The lines of a dialog to be read out; the last ones are the numbered answers. */
export function dialogLines(dialog: ScreenReaderDialog, waiting: Waiting): readonly string[] {
	switch (dialog.kind) {
		case 'rule':
			return dialogPrompt(dialog, waiting);
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

/** The question in few lines, for a listener who has heard other lines since. */
export function dialogPrompt(dialog: ScreenReaderDialog, waiting: Waiting): readonly string[] {
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			return request ? approvalPrompt(dialog, request) : [];
		}

		case 'rule': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			return request ? rulePrompt(dialog, request) : [];
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

/** The effect of a typed line. Only a number that was offered decides. */
export function dialogStep(
	dialog: ScreenReaderDialog,
	text: string,
	waiting: Waiting & {readonly fullRequest?: FullRequest | undefined},
): ScreenReaderStep {
	switch (dialog.kind) {
		case 'approval': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			const {fullRequest: whole} = waiting;
			return request ? approvalStep(dialog, text, {request, whole}) : nothing(dialog);
		}

		case 'rule': {
			const request = waiting.approvals.find(({id}) => id === dialog.id);
			const step = request ? ruleStep(dialog, text, request) : nothing(dialog);
			const isBack = step.dialog.kind === 'approval' && step.calls.length === 0;
			return isBack ? {...step, lines: [...step.lines, ...dialogPrompt(step.dialog, waiting)]} : step;
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

function nothing(dialog: ScreenReaderDialog): ScreenReaderStep {
	return {dialog, calls: [], lines: []};
}
