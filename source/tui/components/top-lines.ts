import {inForceText} from '../../state/line.ts';
import {type Snapshot, type WebhookRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {type Screen} from '../state/screen.ts';
import {minutesText} from '../text/duration-text.ts';
import {layoutName} from '../text/layout.ts';
import {own} from '../text/own-glyphs.ts';
import {type Line, lineWithEnd, type Span, span} from '../text/span.ts';
import {glyphs} from '../text/status-text.ts';

/** The lines above the view: the header, and the banners, if any. */
export function topLines(screen: Screen): readonly Line[] {
	return [headerLine(screen), configBanner(screen.snapshot), bannerLine(screen)].filter(line => line !== undefined);
}

/** How many words fit into the header. */
type Wording = 'terse' | 'short' | 'full';

/** The header: what is running, where it listens, how much of it is up, and what is waiting. */
function headerLine(screen: Screen): Line {
	const {snapshot, size, now} = screen;
	const wording = layoutName(size) === 'narrow' ? 'terse' : size.columns < 120 ? 'short' : 'full';
	const up = snapshot.servers.filter(row => row.state === 'connected').length;
	const waiting = snapshot.approvals.length;
	const asked = snapshot.questions.length + snapshot.proposals.length;
	const gap = wording === 'terse' ? ' ' : '   ';
	const pieces: Span[] = [
		span(wording === 'terse' ? 'sluice' : ' sluice', 'strong'),
		...(wording === 'full' ? [span(` ${screen.version}`, 'dim')] : []),
		...gatewayPieces(snapshot, gap),
		span(gap),
		webhookPiece(snapshot.webhook, wording),
		span(
			`${gap}${wording === 'full' ? 'servers' : 'srv'} ${up}/${snapshot.servers.length}${wording === 'full' ? ' up' : ''}`,
		),
		...(waiting > 0
			? [span(`${gap}${glyphs.approval}${waiting}`, 'notice'), span(wording === 'full' ? ' to approve' : '')]
			: []),
		...(asked > 0
			? [span(`${gap}${glyphs.question}${asked}`, 'notice'), span(wording === 'full' ? ' asked' : '')]
			: []),
		...(wording === 'terse' ? [] : [span(`${gap}${wording === 'full' ? 'events' : 'ev'} ${eventCount(snapshot)}`)]),
		...(screen.readOnly ? [span(`${gap}read-only`, 'busy')] : []),
	];
	const time = waiting > 0 && wording !== 'terse' ? timeOfDay(now) : timeOfDay(now).slice(0, 5);
	return lineWithEnd(pieces, [span(` ${time}`, 'dim')], size.columns);
}

function gatewayPieces({gateway}: Snapshot, gap: string): Span[] {
	switch (gateway.phase) {
		case 'starting':
			return [span(`${gap}starting`, 'busy')];
		case 'running':
			return [
				...(gateway.profile === 'default' ? [] : [span(`${gap}profile ${gateway.profile}`)]),
				...(gateway.demo ? [span(`${gap}DEMO`, 'notice')] : []),
			];
		case 'stopped':
			return [span(`${gap}stopped`, 'bad')];
	}
}

function webhookPiece(webhook: WebhookRow, wording: Wording): Span {
	switch (webhook.state) {
		case 'off':
			return span(wording === 'full' ? 'webhooks off' : 'hooks off', 'dim');
		case 'listening':
			return span(wording === 'full' ? `${webhook.url} listening` : `${portOf(webhook.url)} up`, 'good');
		case 'failed':
			return span(wording === 'full' ? `${glyphs.bad} webhooks failed` : `${glyphs.bad} hooks`, 'bad');
	}
}

/** `:8644`, or the whole URL if it has no port. */
function portOf(url: string): string {
	const port = URL.canParse(url) ? new URL(url).port : '';
	return port === '' ? url : `:${port}`;
}

/** `214 (4 rejected)`: all webhook requests. */
function eventCount({counters}: Snapshot): string {
	return `${counters.webhooks}${counters.webhooksRejected > 0 ? ` (${counters.webhooksRejected} rejected)` : ''}`;
}

/** The line under the header while config.yaml cannot be used; absent otherwise. */
function configBanner({config}: Snapshot): Line | undefined {
	return config.state === 'unusable'
		? [span(` ${glyphs.bad} ${config.reason}`, 'bad'), span(own` · ${inForceText(config)}`, 'dim')]
		: undefined;
}

/** The line under the header while something is waiting for an answer, or in the demo; absent otherwise. */
function bannerLine({snapshot, size, now}: Screen): Line | undefined {
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

	const glyph = approvals.length > 0 ? glyphs.approval : glyphs.question;
	const count = waitingText(snapshot);
	if (layoutName(size) === 'narrow') {
		return [span(own`${glyph} ${count} · A`, 'notice')];
	}

	const oldest = Math.min(...waiting.map(row => row.requestedAt));
	const ends = [...approvals, ...questions].map(row => row.expiresAt);
	const expires = ends.length === 0 ? '' : own` · next expires ${minutesText(Math.min(...ends) - now)}`;
	return [
		span(` ${glyph} ${count} waiting`, 'notice'),
		span(own` · press `),
		span('A', 'accent'),
		span(' to answer'),
		span(own` · oldest ${minutesText(now - oldest)}${expires}`),
	];
}

/** `2 approvals, 1 question`; counts of zero are omitted. */
function waitingText({approvals, questions, proposals}: Snapshot): string {
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
