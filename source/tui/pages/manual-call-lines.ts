import {type Snapshot} from '../../state/snapshot.ts';
import {progressText} from '../lists/call-rows.ts';
import {minutesText} from '../text/duration-text.ts';
import {labelled} from '../lists/list-row.ts';
import {ruleLine} from '../text/rule-line.ts';
import {own, type Line, span} from '../text/span.ts';
import {callText, signs} from '../text/status-text.ts';
import {splitAtWidth} from '../text/text-width.ts';

/** A call by hand in lines: that it goes on and what it waits for, or how it ended and what came of it. */
export function manualCallLines(
	mode: {readonly requestId: string; readonly name: string},
	snapshot: Snapshot,
	{width, now}: {readonly width: number; readonly now: number},
): readonly Line[] {
	const result = snapshot.manualCall;
	if (result?.requestId !== mode.requestId) {
		return [...labelled('tool', mode.name, width), ...underWay(mode.name, snapshot, now)];
	}

	const {glyph, word, tone} = callText[result.outcome];
	return [
		...labelled('tool', result.name, width),
		[span(' outcome    ', 'dim'), span(`${glyph} ${word}`, tone)],
		ruleLine('result', width),
		...result.text
			.split('\n')
			.flatMap(line => splitAtWidth(line, width - 2))
			.map((line): Line => [span(` ${line}`)]),
	];
}

function underWay(name: string, snapshot: Snapshot, now: number): Line[] {
	const isOurs = (row: {readonly registeredName: string; readonly origin: {readonly kind: string}}) =>
		row.registeredName === name && row.origin.kind === 'dashboard';
	if (snapshot.approvals.some(isOurs)) {
		return [[span(own` ${signs.approval} waits for your approval · A reviews it`, 'notice')]];
	}

	const call = snapshot.calls.findLast(isOurs);
	return [
		[
			span(` ${signs.running} under way`, 'busy'),
			span(call ? own` · ${minutesText(now - call.startedAt)} ${progressText(call)}` : '', 'dim'),
		],
	];
}
