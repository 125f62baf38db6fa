import {type ApprovalOutcomeName, type CallOutcome, type ToolHints} from '../../state/approval-event.ts';
import {type ServerStatus, type WebhookOutcomeName} from '../../state/event.ts';
import {type LoginStatus} from '../../state/person-event.ts';
import {type JobRow, type RouteRow} from '../../state/snapshot.ts';
import {type RuleRow, type ToolRow} from '../../state/view-event.ts';
import {type RunStatus, type RunStep} from '../../state/work-event.ts';
import {own} from './own-signs.ts';
import {type Tone} from './theme.ts';

/** A state as a person reads it: sign and word together, so that neither colour nor shape carries it alone. */
export type StatusLabel = {readonly glyph: string; readonly word: string; readonly tone: Tone};

/** Signs that stand outside of a state. */
export const signs = {
	approval: own`▲`,
	question: own`◆`,
	running: own`◐`,
	up: own`●`,
	bad: own`✖`,
	more: own`↓`,
	preset: own`▌`,
	rule: own`─`,
	full: own`━`,
	picked: own`◉`,
	open: own`○`,
	payload: own`»`,
	gutter: own`│`,
} as const;

const word = (glyph: string, text: string, tone: Tone): StatusLabel => ({glyph, word: text, tone});

/** The states of a tool server. */
export const serverText: Readonly<Record<ServerStatus, StatusLabel>> = {
	disabled: word(own`–`, 'disabled', 'dim'),
	lazy: word(own`○`, 'lazy', 'normal'),
	connecting: word(own`◐`, 'connecting', 'busy'),
	connected: word(own`●`, 'connected', 'good'),
	'needs-login': word(own`◇`, 'needs login', 'notice'),
	waiting: word(own`◐`, 'waiting', 'busy'),
	failed: word(own`✖`, 'failed', 'bad'),
	stopped: word(own`–`, 'stopped', 'dim'),
};

/** The ends of an approval. */
export const approvalText: Readonly<Record<ApprovalOutcomeName, StatusLabel>> = {
	approved: word(own`✔`, 'approved', 'good'),
	denied: word(own`✖`, 'denied', 'bad'),
	timed_out: word(own`○`, 'timed out', 'busy'),
	no_channel: word(own`○`, 'nobody to ask', 'busy'),
	cancelled: word(own`–`, 'cancelled', 'dim'),
};

/** The ends of a tool call. */
export const callText: Readonly<Record<CallOutcome, StatusLabel>> = {
	...approvalText,
	ok: word(own`●`, 'ok', 'good'),
	tool_error: word(own`✖`, 'tool error', 'busy'),
	failed: word(own`✖`, 'failed', 'bad'),
	outcome_uncertain: word(own`◇`, 'uncertain', 'notice'),
};

/** The ends of a webhook request. */
export const webhookText: Readonly<Record<WebhookOutcomeName, StatusLabel>> = {
	accepted: word(own`●`, 'accepted', 'good'),
	coalesced: word(own`●`, 'coalesced', 'good'),
	duplicate: word(own`○`, 'duplicate', 'dim'),
	ignored: word(own`○`, 'ignored', 'dim'),
	delivered: word(own`✔`, 'delivered', 'good'),
	rejected: word(own`✖`, 'rejected', 'bad'),
	delivery_failed: word(own`✖`, 'not delivered', 'bad'),
	outcome_uncertain: word(own`◇`, 'uncertain', 'notice'),
	unavailable: word(own`✖`, 'unavailable', 'busy'),
};

/** The states of a run. */
export const runText: Readonly<Record<RunStatus, StatusLabel>> = {
	queued: word(own`○`, 'queued', 'normal'),
	running: word(own`◐`, 'running', 'busy'),
	inbox: word(own`◇`, 'inbox', 'notice'),
	finished: word(own`✔`, 'finished', 'good'),
	failed: word(own`✖`, 'failed', 'bad'),
	cancelled: word(own`–`, 'cancelled', 'dim'),
	interrupted: word(own`✖`, 'interrupted', 'busy'),
};

/** The states of a tool call of a run that has not ended. */
export const stepText: Readonly<Record<RunStep['state'], StatusLabel>> = {
	waiting: word(own`▲`, 'waits', 'notice'),
	running: word(own`◐`, 'running', 'busy'),
	done: word(own`●`, 'done', 'good'),
};

/** The weights of a log line. */
export const logText: Readonly<Record<'debug' | 'info' | 'warning' | 'error', StatusLabel>> = {
	debug: word(own`·`, 'debug', 'dim'),
	info: word(own`·`, 'info', 'normal'),
	warning: word(own`▲`, 'warning', 'busy'),
	error: word(own`✖`, 'error', 'bad'),
};

/** The states of a login. */
export const loginText: Readonly<Record<LoginStatus, StatusLabel>> = {
	discovering: word(own`◐`, 'finding the way', 'busy'),
	registering: word(own`◐`, 'registering', 'busy'),
	'awaiting-redirect': word(own`◇`, 'waits for browser', 'notice'),
	'awaiting-device': word(own`◇`, 'waits for code', 'notice'),
	exchanging: word(own`◐`, 'fetching tokens', 'busy'),
	succeeded: word(own`✔`, 'logged in', 'good'),
	failed: word(own`✖`, 'failed', 'bad'),
	cancelled: word(own`–`, 'cancelled', 'dim'),
};

/** The states of a scheduled job. */
export const jobText: Readonly<Record<JobRow['state'], StatusLabel>> = {
	scheduled: word(own`●`, 'scheduled', 'good'),
	running: word(own`◐`, 'running', 'busy'),
	paused: word(own`○`, 'paused', 'busy'),
	disabled: word(own`–`, 'disabled', 'dim'),
	finished: word(own`✔`, 'finished', 'dim'),
};

/** The states of a webhook route. */
export const routeText: Readonly<Record<RouteRow['state'], StatusLabel>> = {
	served: word(own`●`, 'served', 'good'),
	paused: word(own`○`, 'paused', 'busy'),
	refused: word(own`✖`, 'refused', 'bad'),
	skipped: word(own`✖`, 'skipped', 'bad'),
};

/** The states of a tool. */
export const toolText: Readonly<Record<ToolRow['state'], StatusLabel>> = {
	registered: word(own`●`, 'registered', 'good'),
	filtered: word(own`–`, 'filtered', 'dim'),
	'name-taken': word(own`✖`, 'name taken', 'busy'),
	unusable: word(own`✖`, 'unusable', 'bad'),
};

/** What a call of a tool would meet at the approval check. */
export const approvalNeedText: Readonly<Record<ToolRow['approval'], string>> = {
	none: 'passes',
	ask: 'asks',
	remembered: 'remembered',
};

/** The states of a remembered approval. */
export const ruleText: Readonly<Record<RuleRow['state'], StatusLabel>> = {
	valid: word(own`●`, 'valid', 'good'),
	void: word(own`○`, 'void', 'busy'),
};

/** The states of a part of the gateway. */
export const partText: Readonly<
	Record<'usable' | 'unusable' | 'disabled' | 'listening' | 'off' | 'failed' | 'none', StatusLabel>
> = {
	usable: word(own`●`, 'usable', 'good'),
	listening: word(own`●`, 'listening', 'good'),
	unusable: word(own`✖`, 'unusable', 'busy'),
	failed: word(own`✖`, 'failed', 'bad'),
	disabled: word(own`–`, 'disabled', 'dim'),
	off: word(own`–`, 'off', 'dim'),
	none: word(own`○`, 'none', 'busy'),
};

/** What a server claims about its tool, in words. */
export function hintText(hints: ToolHints): string {
	const words = [
		hints.readOnlyHint === true ? 'read-only' : '',
		hints.destructiveHint === true ? 'destructive' : '',
		hints.destructiveHint === false ? 'not destructive' : '',
		hints.openWorldHint === true ? 'open world' : '',
		hints.idempotentHint === true ? 'idempotent' : '',
		hints.idempotentHint === false ? 'not idempotent' : '',
	].filter(word => word !== '');
	return words.length === 0 ? 'no hints' : words.join(own` · `);
}
