import {type ApprovalRow, type RuleProposalRow, type Snapshot} from '../../state/snapshot.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {type RecordedMatches, type ShownArgument, type ShownProposal} from '../../state/view-event.ts';
import {shownId} from '../../util/id-part.ts';
import {type CallRuleMode} from '../state/mode.ts';
import {type Screen} from '../state/screen.ts';
import {type Size} from '../text/layout.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, lineWithEnd, ruleLine, span} from '../text/span.ts';
import {glyphs, type Tone} from '../../state/entities/status-text.ts';
import {splitCells, wrapToWidth} from '../text/text-width.ts';
import {type ReviewView} from './review-layout.ts';
import {missingListText} from '../state/ui-state.ts';

/** The page of a proposed rule, and whether all of what would be stored is on it. */
export type RulePage = {readonly lines: readonly Line[]; readonly shows: 'all' | 'part'};

/** The rule that was proposed for a request or a recorded call; undefined until the gateway has answered. */
export function proposalFor(
	{id, profile}: Pick<ApprovalRow, 'id' | 'profile'>,
	{ruleProposal}: Pick<Snapshot, 'ruleProposal'>,
): RuleProposalRow | undefined {
	return ruleProposal?.id === id && ruleProposal.profile === profile ? ruleProposal : undefined;
}

/** The proposed rule of the request under review, line by line. */
export function ruleLines({card, review}: ReviewView, screen: Screen): readonly Line[] {
	return proposedLines(card, review.argument, screen);
}

/** The rule that a recorded call proposes, with a title in the place of that of a request. */
export function callRuleLines(mode: CallRuleMode, screen: Screen): readonly Line[] {
	const {columns} = screen.size;
	const words = columns < 60 ? `CALL ${shownId(mode.id)}` : `RULE FROM THE RECORDED CALL ${shownId(mode.id)}`;
	return [
		lineWithEnd([span(` ${glyphs.approval} ${words}`, 'notice')], [span('nothing is sent ', 'dim')], columns),
		...proposedLines(mode, mode.argument, screen),
	];
}

function proposedLines(
	subject: Pick<ApprovalRow, 'id' | 'profile'>,
	argument: number,
	{ui, snapshot, size}: Screen,
): readonly Line[] {
	const proposal = proposalFor(subject, snapshot);
	return proposal
		? rulePage(proposal, argument, size).lines
		: [ruleLine(title, size.columns, 'strong'), ...wrapped(missingListText(ui, 'rules.propose'), size.columns, 'busy')];
}

const title = 'a rule from this call';

/** Rows of the screen that are not the page: title and last line. */
const frameRows = 2;

/** Lays the page out: all of the rule always, then the picked argument, then as much of the rest as there is room for. */
export function rulePage(proposal: ShownProposal, argument: number, {columns: width, rows}: Size): RulePage {
	const {arguments: shown} = proposal;
	const stored = outcomeLines(proposal.outcome, width);
	const rules = 2;
	const picked = Math.min(1, shown.length);
	const room = rows - frameRows - rules - stored.length - picked;
	const take = roomTaker(room);
	const note = take(wrapped(shown[argument]?.note, width, 'busy'));
	const recorded = take(proposal.outcome.kind === 'rule' ? recordedLines(proposal.recorded, width) : []);
	const further = take(shown.slice(picked).map((): Line => [])).length;
	const closing = take(closingLines(proposal.outcome, width));
	return {
		lines: [
			ruleLine(title, width, 'strong'),
			...argumentLines(shown, {argument, count: picked + further, width}),
			...note,
			ruleLine(proposal.outcome.kind === 'rule' ? 'it would be stored as' : 'nothing can be stored', width),
			...stored,
			...recorded,
			...closing,
		].slice(0, rows - frameRows),
		shows: room >= 0 ? 'all' : 'part',
	};
}

/** Hands out rows: all that are asked for, or as many as are left. */
function roomTaker(rows: number): (lines: readonly Line[]) => readonly Line[] {
	let left = Math.max(0, rows);
	return lines => {
		const taken = lines.slice(0, left);
		left -= taken.length;
		return taken;
	};
}

/** The arguments around the picked one, each with what is chosen for it. */
function argumentLines(
	shown: readonly ShownArgument[],
	{argument, count, width}: {readonly argument: number; readonly count: number; readonly width: number},
): readonly Line[] {
	const first = Math.max(0, Math.min(argument - Math.floor(count / 2), shown.length - count));
	return shown.slice(first, first + count).map(({name, choices, chosen}, index): Line => {
		const isPicked = first + index === argument;
		const tone = isPicked ? 'accent' : 'dim';
		return lineWithEnd(
			[
				span(isPicked ? ` ${glyphs.preset} ` : '   ', tone),
				cell(name, Math.min(24, Math.floor(width / 3)), isPicked ? 'strong' : 'normal'),
				span(choices[chosen] ?? ''),
			],
			[span(` ${chosen + 1} of ${choices.length} `, tone)],
			width,
		);
	});
}

function outcomeLines(outcome: ShownProposal['outcome'], width: number): readonly Line[] {
	return outcome.kind === 'rule' ? wrapped(outcome.words, width, 'strong') : wrapped(outcome.why, width, 'busy');
}

function closingLines(outcome: ShownProposal['outcome'], width: number): readonly Line[] {
	const words =
		'Calls with other arguments still ask, and those with values from untrusted text. R lists and removes rules.';
	return outcome.kind === 'rule' ? wrapped(words, width, 'dim') : [];
}

/** The recorded calls that the rule would have allowed: their number, and the newest. */
function recordedLines(recorded: RecordedMatches | undefined, width: number): readonly Line[] {
	if (!recorded) {
		return [[span(uiText` trying it on the recorded calls …`, 'dim')]];
	}

	const {calls, allowed, newest} = recorded;
	const counted = (count: number) => count.toLocaleString('en-US');
	const words =
		calls === 0
			? 'No calls of the tool are recorded yet.'
			: `Of ${counted(calls)} recorded ${calls === 1 ? 'call' : 'calls'} of the tool it would have let ${counted(allowed)} more through.`;
	return [
		...wrapped(words, width, 'normal'),
		...newest.map(({callId, time}): Line => [span(`   ${dateAndTime(time)}  call ${shownId(callId)}`, 'dim')]),
	];
}

/** A line break replaces one blank, so a text with several in succession is cut at the end of the row. */
function wrapped(text: string | undefined, width: number, tone: Tone): readonly Line[] {
	if (text === undefined) {
		return [];
	}

	const parts = / {2}/u.test(text) ? splitCells(text, width - 2) : wrapToWidth(text, width - 2);
	return parts.map((part): Line => [span(` ${part}`, tone)]);
}
