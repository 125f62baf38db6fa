import {originText} from '../../state/origin.ts';
import {type CallRow} from '../../state/snapshot.ts';
import {minutesText} from '../text/duration-text.ts';
import {type ListRow, labelled, rememberRows} from './list-row.ts';
import {own, cell, type Line, span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';

/** The row of a call under way. */
export const callListRow = rememberRows(
	(call: CallRow): ListRow => ({
		id: call.callId,
		copy: call.callId,
		fields: () => ({
			server: call.server,
			tool: call.tool,
			origin: originText(call.origin),
			id: call.callId,
			profile: call.profile,
		}),
		line: (width, now) => callLine(call, width, now),
		detail: (width, now) => callDetail(call, width, now),
	}),
);

/** How far a call is, as far as its server tells: `3 of 10 · copying`, `30 %`. */
export function progressText({progress, total, message}: CallRow): string {
	const share = progress !== undefined && total !== undefined && total > 0 ? progress / total : undefined;
	const amount =
		share === undefined || share > 1 || share < 0
			? (progress?.toLocaleString('en-US') ?? '')
			: `${bar(share)} ${Math.floor(share * 100)} %`;
	return [amount, message ?? ''].filter(part => part !== '').join(own` · `);
}

const barCells = 10;

function bar(share: number): string {
	const full = Math.floor(share * barCells);
	return signs.full.repeat(full) + signs.rule.repeat(barCells - full);
}

function callLine(call: CallRow, width: number, now: number): Line {
	const age = minutesText(now - call.startedAt);
	return width < 60
		? [span(`${signs.running} `, 'busy'), cell(call.tool, 16, 'strong'), span(` ${age} ${progressText(call)}`)]
		: [
				span(`${signs.running} `, 'busy'),
				cell(`${call.server}/${call.tool}`, 32, 'strong'),
				span(' '),
				cell(age, 7, 'busy'),
				cell(progressText(call), 32),
				span(' '),
				span(originText(call.origin, own` · `), 'dim'),
			];
}

function callDetail(call: CallRow, width: number, now: number): Line[] {
	return [
		...labelled('tool', `${call.server}/${call.tool}`, width),
		...labelled('known as', call.registeredName, width),
		...labelled('from', originText(call.origin, own` · `), width),
		...labelled('running', minutesText(now - call.startedAt), width),
		...labelled('progress', progressText(call), width),
		...labelled('call', call.callId, width),
		...labelled('profile', call.profile, width),
	];
}
