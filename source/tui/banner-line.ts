import {inForceWords} from '../state/line.ts';
import {type Snapshot} from '../state/snapshot.ts';
import {minutesText} from './duration-text.ts';
import {layoutName} from './layout.ts';
import {type Screen} from './screen.ts';
import {type Line, span} from './span.ts';
import {signs} from './status-words.ts';

/** The line under the header while config.yaml cannot be used; absent otherwise. */
export function configBanner({config}: Snapshot): Line | undefined {
	return config.state === 'unusable'
		? [span(` ${signs.bad} ${config.reason}`, 'bad'), span(` · ${inForceWords(config)}`, 'dim')]
		: undefined;
}

/** The line under the header while something waits for a person or this is the demo; absent otherwise. */
export function bannerLine({snapshot, size, now}: Screen): Line | undefined {
	const {approvals, gateway} = snapshot;
	const [oldest] = approvals;
	if (!oldest) {
		return gateway.phase === 'running' && gateway.demo
			? [
					span(' DEMO ', 'notice'),
					span('· throw-away state, a scripted client and a webhook that fires by itself', 'dim'),
				]
			: undefined;
	}

	const count = `${approvals.length} ${approvals.length === 1 ? 'approval' : 'approvals'}`;
	if (layoutName(size) === 'narrow') {
		return [span(`${signs.approval} ${count} · A to review`, 'notice')];
	}

	const nextEnd = Math.min(...approvals.map(row => row.expiresAt));
	return [
		span(` ${signs.approval} ${count} waiting`, 'notice'),
		span(` · oldest ${minutesText(now - oldest.requestedAt)} · next expires ${minutesText(nextEnd - now)} · press `),
		span('A', 'accent'),
		span(' to review'),
	];
}
