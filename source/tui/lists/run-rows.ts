import {type RunStep} from '../../state/work-event.ts';
import {type RunRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {wideCells} from './columns.ts';
import {
	type KeyNames,
	labelled,
	labelledStatus,
	type ListRow,
	rememberRows,
	repeatedText,
	wrappedLines,
} from './list-row.ts';
import {minutesText, tookText} from '../text/duration-text.ts';
import {markdownLines} from '../text/markdown-lines.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, lineWithEnd, span} from '../text/span.ts';
import {callText, runText, glyphs, type StatusLabel, stepText} from '../../state/entities/status-text.ts';
import {wrapToWidth} from '../text/text-width.ts';
import {stateValue} from './sorting.ts';
import {sentName} from '../../state/origin.ts';
import {quoted, shownName} from '../../util/safe-text.ts';

/** The row of a run or an inbox item. */
export const runListRow = rememberRows(
	(run: RunRow): ListRow => ({
		id: run.runId,
		copy: run.answer || run.runId,
		fields: () => ({
			state: run.state,
			route: run.route,
			event: run.event,
			delivery: run.deliveryId,
			id: run.runId,
			reason: run.reason,
			prompt: run.prompt,
			model: run.model,
			profile: run.profile,
			node: run.node,
		}),
		values: () => ({
			name: run.route,
			state: stateValue(runLabel(run)),
			took: isOver(run) ? run.since - run.startedAt : undefined,
			calls: run.steps.length,
			tokens: tokensOf(run),
		}),
		...(isOver(run) &&
			!run.delivering && {
				repeats: {
					at: run.startedAt,
					text: () => repeatedText(run.state, run.route, run.event, noteOf(run), run.model, run.profile, run.node),
					line: width => runStart(run, width),
				},
			}),
		line: (width, now) => runLine(run, width, now),
		detail: (width, now, keys) => runDetail(run, width, {now, keys}),
	}),
);

const deliveringLabel: StatusLabel = {...runText.running, word: 'delivering'};

/** A run that waits for a person, or for a slot after that, does nothing until then, so it is not shown as running; nor is one whose answer is on its way. */
function runLabel({state, waitingFor, delivering}: RunRow): StatusLabel {
	if (delivering) {
		return deliveringLabel;
	}

	return state === 'running' && waitingFor !== 'nothing' ? stepText.waiting : runText[state];
}

function runLine(run: RunRow, width: number, now: number): Line {
	const isWide = width >= 100;
	const end = [isWide ? callsText(run) : '', isWide ? tokensText(run) : '', rowTime(run, now)];
	return lineWithEnd(runStart(run, width), [span(` ${end.filter(Boolean).join(uiText` · `)}`, 'dim')], width);
}

/** The line without what it has used and how long it took. */
function runStart(run: RunRow, width: number): Line {
	const {glyph, word, tone} = runLabel(run);
	const start: Line = [span(`${glyph} `, tone), cell(word, 12, tone)];
	const note = span(noteOf(run), 'dim');
	return width < 60
		? [...start, cell(run.route, 13, 'strong'), note]
		: [
				...start,
				cell(timeOfDay(run.startedAt), 9, 'dim'),
				cell(run.route, wideCells(17, 0.08, width), 'strong'),
				cell(run.route === '' || run.event === '' ? run.event : quoted(run.event), wideCells(12, 0.07, width)),
				note,
			];
}

/** The gateway that has it, if that is another one, where its answer is being sent, what it waits for, what it calls now, and why it ended or what it was asked. */
function noteOf({waitingFor, steps, state, reason, prompt, delivering, node}: RunRow): string {
	const delivers = delivering ? `to ${delivering.target}` : '';
	const step = state === 'running' ? steps.findLast(one => one.state !== 'done') : undefined;
	const waits = waitsText(waitingFor);
	const calls = step ? `${stepText[step.state].glyph} ${shownName(step.tool)}` : '';
	return [node, delivers, waits, calls, reason || prompt.replaceAll('\n', ' ')].filter(Boolean).join(uiText` · `);
}

function waitsText(waitingFor: RunRow['waitingFor']): string {
	switch (waitingFor) {
		case 'nothing':
			return '';
		case 'slot':
			return 'waits for a free slot';
		case 'approval':
		case 'answer':
		case 'release':
			return uiText`${glyphs.approval} waits for ${waitingFor}`;
	}
}

function callsText({steps}: RunRow): string {
	return steps.length === 0 ? '' : `${steps.length} ${steps.length === 1 ? 'call' : 'calls'}`;
}

function isOver({state}: RunRow): boolean {
	return state !== 'queued' && state !== 'running' && state !== 'inbox';
}

function tokensOf({usage}: RunRow): number {
	return usage.inputTokens + usage.outputTokens;
}

function tokensText(run: RunRow): string {
	const tokens = tokensOf(run);
	return tokens === 0 ? '' : `${grouped(tokens)} tok`;
}

/** How long its answer has been on its way, else how long it has run or did. */
function rowTime(run: RunRow, now: number): string {
	return run.delivering ? minutesText(now - run.delivering.since) : lastedText(run, now);
}

/** How long it has run, or did; nothing where it is not known when it began. */
function lastedText({state, startedAt, since}: RunRow, now: number): string {
	return state === 'running' || state === 'queued'
		? minutesText(now - startedAt)
		: state === 'inbox'
			? ''
			: tookText(Math.max(0, since - startedAt));
}

function runDetail(run: RunRow, width: number, {now, keys}: {readonly now: number; readonly keys: KeyNames}): Line[] {
	const {inputTokens, outputTokens} = run.usage;
	const usage =
		inputTokens + outputTokens === 0 ? '' : `${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`;
	return [
		labelledStatus('state', runLabel(run), span(` since ${timeOfDay(run.since)}`, 'dim')),
		...labelled('reason', run.reason, width),
		...labelled('delivering', deliveringText(run, now), width),
		...labelled('next', nextText(run, keys), width),
		...labelled(run.state === 'running' ? 'running' : 'took', lastedText(run, now), width),
		...labelled('model', run.model, width),
		...labelled('usage', usage, width),
		...labelled('route', run.route, width),
		...labelled('event', sentName('', run.event, run), width),
		...labelled('deliver', run.deliver, width),
		...labelled('delivery', sentName('', run.deliveryId, run), width),
		...labelled('run', run.runId, width),
		...labelled('goes on', run.conversation, width),
		...labelled('tools', run.allowedTools.join(', '), width),
		...labelled('profile', run.profile, width),
		...labelled('node', run.node, width),
		...section('prompt', wrappedLines(run.prompt || '(no prompt was stored)', width)),
		...(run.steps.length === 0
			? []
			: [[], [span(' tool calls', 'dim')], ...run.steps.flatMap(step => stepLines(step, width))]),
		...section(run.answer === '' ? 'answer so far' : 'answer', markdownLines(run.answer || run.text, width)),
	];
}

/** What it waits for, and the keys that settle it; empty where it waits for nothing. */
function nextText({state, waitingFor}: RunRow, {named}: KeyNames): string {
	if (state === 'inbox') {
		const keys = [named('write-to-run', 'to answer'), named('end-run', 'to close')].filter(Boolean).join(', ');
		return ['waits for you', keys].filter(Boolean).join(': ');
	}

	if (waitingFor === 'release') {
		return ['everything is held', named('hold', 'to release it')].filter(Boolean).join(': ');
	}

	if (waitingFor === 'slot') {
		return 'goes on when another run ends or waits (agent.max_concurrent_runs)';
	}

	return waitingFor === 'nothing'
		? ''
		: [`waits for your ${waitingFor}`, named('review', 'to open it')].filter(Boolean).join(': ');
}

/** `to telegram for 0:04`; empty while nothing is sent. */
function deliveringText({delivering}: RunRow, now: number): string {
	return delivering ? `to ${delivering.target} for ${minutesText(now - delivering.since)}` : '';
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
	return lines.length === 0 ? [] : [[], [span(` ${title}`, 'dim')], ...lines];
}

/** A tool call of the run: the tool, its arguments, and the outcome. */
function stepLines(step: RunStep, width: number): Line[] {
	const {glyph, word, tone} = step.outcome === undefined ? stepText[step.state] : callText[step.outcome];
	return [
		[
			span(` ${glyph} `, tone),
			span(shownName(step.tool), 'strong'),
			span(` ${word}`, tone),
			span(` ${step.arguments}`, 'dim'),
		],
		...(step.summary === undefined || step.summary === ''
			? []
			: wrapToWidth(step.summary, width - 6).map((line): Line => [span(`     ${line}`)])),
	];
}

function grouped(count: number): string {
	return count.toLocaleString('en-US');
}
