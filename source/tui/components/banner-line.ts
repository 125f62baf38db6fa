import {inForceText} from '../../state/line.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {minutesText} from '../text/duration-text.ts';
import {layoutName} from '../text/layout.ts';
import {type Screen} from '../state/screen.ts';
import {own, type Line, span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';

/** The line under the header while config.yaml cannot be used; absent otherwise. */
export function configBanner({config}: Snapshot): Line | undefined {
	return config.state === 'unusable'
		? [span(` ${signs.bad} ${config.reason}`, 'bad'), span(own` · ${inForceText(config)}`, 'dim')]
		: undefined;
}

/** The line under the header while something waits for a person or this is the demo; absent otherwise. */
export function bannerLine({snapshot, size, now}: Screen): Line | undefined {
	const {approvals, questions, proposals, gateway} = snapshot;
	const waiting = [...approvals, ...questions, ...proposals];
	if (waiting.length === 0) {
		return gateway.phase === 'running' && gateway.demo
			? [
					span(' DEMO ', 'notice'),
					span(own`· throw-away state, a scripted client and a webhook that fires by itself`, 'dim'),
				]
			: undefined;
	}

	const sign = approvals.length > 0 ? signs.approval : signs.question;
	const count = waitingText(snapshot);
	if (layoutName(size) === 'narrow') {
		return [span(own`${sign} ${count} · A`, 'notice')];
	}

	const oldest = Math.min(...waiting.map(row => row.requestedAt));
	const ends = [...approvals, ...questions].map(row => row.expiresAt);
	const expires = ends.length === 0 ? '' : own` · next expires ${minutesText(Math.min(...ends) - now)}`;
	return [
		span(` ${sign} ${count} waiting`, 'notice'),
		span(own` · press `),
		span('A', 'accent'),
		span(' to answer'),
		span(own` · oldest ${minutesText(now - oldest)}${expires}`),
	];
}

/** `2 approvals, 1 question`; what is not there is not named. */
export function waitingText({approvals, questions, proposals}: Snapshot): string {
	return [
		counted(approvals.length, 'approval'),
		counted(questions.length, 'question'),
		counted(proposals.length, 'install'),
	]
		.filter(words => words !== '')
		.join(', ');
}

function counted(count: number, noun: string): string {
	return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
