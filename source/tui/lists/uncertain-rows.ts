import {originText} from '../../state/origin.ts';
import {type UncertainRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {indentJson} from '../../util/json-text.ts';
import {type ListRow, labelled, rememberRows} from './list-row.ts';
import {own, cell, type Line, span} from '../text/span.ts';
import {callText} from '../text/status-text.ts';
import {splitAtWidth} from '../text/text-width.ts';

const {glyph, word, tone} = callText['outcome_uncertain'];

/** The row of a call nobody knows the outcome of. */
export const uncertainListRow = rememberRows(
	(call: UncertainRow): ListRow => ({
		id: uncertainId(call),
		copy: call.callId,
		fields: () => ({
			server: call.server,
			tool: call.tool,
			state: 'uncertain',
			origin: originText(call.origin),
			id: call.callId,
			profile: call.profile,
		}),
		line: width => uncertainLine(call, width),
		detail: width => uncertainDetail(call, width),
	}),
);

/** Calls stand in one list with requests, whose ids are made elsewhere. */
export function uncertainId({callId}: Pick<UncertainRow, 'callId'>): string {
	return `uncertain-${callId}`;
}

function uncertainLine(call: UncertainRow, width: number): Line {
	const name = `${call.server}/${call.tool}`;
	return width < 60
		? [span(`${glyph} `, tone), cell(word, 10, tone), span(name, 'strong')]
		: [
				span(`${glyph} `, tone),
				cell(word, 14, tone),
				cell('', 9),
				cell(name, 32, 'strong'),
				span(' '),
				cell(timeOfDay(call.at), 9, 'dim'),
				span(own`D it happened · N it did not · r repeat`, 'dim'),
			];
}

function uncertainDetail(call: UncertainRow, width: number): Line[] {
	return [
		[span(' outcome    ', 'dim'), span(`${glyph} ${word}: it may have taken effect`, tone)],
		...labelled('tool', `${call.server}/${call.tool}`, width),
		...labelled('known as', call.registeredName, width),
		...labelled('from', originText(call.origin, own` · `), width),
		...labelled('ended', timeOfDay(call.at), width),
		...labelled('because', call.reason, width),
		...labelled('call', call.callId, width),
		...labelled('profile', call.profile, width),
		[],
		[span(' arguments, as they were sent', 'dim')],
		...indentJson(call.arguments)
			.split('\n')
			.flatMap(line => splitAtWidth(line, width - 2))
			.map((line): Line => [span(` ${line}`)]),
		[],
		[
			span(
				' Look at the server (t shows its tools; a tool that only reads does no harm), then tell what you found.',
				'dim',
			),
		],
	];
}
