import {type ServerRow, type Snapshot, type WebhookRow} from '../../state/snapshot.ts';
import {own} from '../text/own-signs.ts';
import {serverText} from '../text/status-text.ts';
import {type Tone} from '../text/theme.ts';
import {type Awaited, awaitedRow} from './ui-state.ts';

type Outcome = {readonly text: string; readonly tone: Tone};

/** How an order ended, as far as the core has told it; undefined while it is under way. */
export function outcomeOf(awaited: Awaited, snapshot: Snapshot): Outcome | undefined {
	switch (awaited.kind) {
		case 'server': {
			const row = awaitedRow(awaited.server, snapshot);
			return row === undefined || row === awaited.before ? undefined : serverOutcome(row);
		}

		case 'webhooks':
			return snapshot.webhook === awaited.before ? undefined : webhookOutcome(snapshot.webhook);
		case 'demo':
			return snapshot.gateway.phase === 'running' && snapshot.gateway.demo
				? {text: 'the demo runs', tone: 'good'}
				: undefined;
		case 'reload': {
			const told = snapshot.log.findLast(row => row.area === 'reload' && row.seq > awaited.after);
			return told && {text: told.text, tone: told.level === 'error' ? 'bad' : 'good'};
		}
	}
}

function serverOutcome(row: ServerRow): Outcome | undefined {
	if (row.state === 'connecting' || row.state === 'stopped') {
		return undefined;
	}

	const {word, tone} = serverText[row.state];
	const tools = row.state === 'connected' ? own` · ${row.tools} ${row.tools === 1 ? 'tool' : 'tools'}` : '';
	return {text: `${row.server} ${word}${tools}${row.reason ? `: ${row.reason}` : ''}`, tone};
}

function webhookOutcome(webhook: WebhookRow): Outcome | undefined {
	switch (webhook.state) {
		case 'off':
			return undefined;
		case 'listening':
			return {text: `webhooks listen at ${webhook.url}`, tone: 'good'};
		case 'failed':
			return {text: `webhooks failed: ${webhook.reason}`, tone: 'bad'};
	}
}
