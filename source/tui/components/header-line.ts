import {type Snapshot, type WebhookRow} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {layoutName} from '../text/layout.ts';
import {type Screen} from '../state/screen.ts';
import {type Line, lineWithEnd, type Span, span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';

/** How many words the header can afford. */
type Wording = 'terse' | 'short' | 'full';

/** The first line: what runs, where it listens, how much of it is up, what waits. */
export function headerLine(screen: Screen): Line {
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
			? [span(`${gap}${signs.approval}${waiting}`, 'notice'), span(wording === 'full' ? ' to approve' : '')]
			: []),
		...(asked > 0 ? [span(`${gap}${signs.question}${asked}`, 'notice'), span(wording === 'full' ? ' asked' : '')] : []),
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
			return span(wording === 'full' ? `${signs.bad} webhooks failed` : `${signs.bad} hooks`, 'bad');
	}
}

/** `:8644`, or the whole address when it has no port. */
function portOf(url: string): string {
	const port = URL.canParse(url) ? new URL(url).port : '';
	return port === '' ? url : `:${port}`;
}

/** `214 (4 rejected)`: everything that came in by webhook. */
function eventCount({counters}: Snapshot): string {
	return `${counters.webhooks}${counters.webhooksRejected > 0 ? ` (${counters.webhooksRejected} rejected)` : ''}`;
}
