import {type ApprovalOutcomeName, type CallOutcome, type ToolHints} from '../../state/approval-event.ts';
import {type ServerStatus, type WebhookOutcomeName} from '../../state/event.ts';
import {type LoginStatus} from '../../state/person-event.ts';
import {type JobRow, type RouteRow} from '../../state/snapshot.ts';
import {type RuleRow, type ToolRow} from '../../state/view-event.ts';
import {type RunStatus, type RunStep} from '../../state/work-event.ts';
import {own} from './own-glyphs.ts';
import {type Tone} from './theme.ts';

/** The text of a state: a glyph and a word, so that neither colour nor shape alone carries the meaning. */
export type StatusLabel = {readonly glyph: string; readonly word: string; readonly tone: Tone};

/** Glyphs that do not belong to a state. */
export const glyphs = {
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

const label = (glyph: string, word: string, tone: Tone): StatusLabel => ({glyph, word, tone});

/** The states of a tool server. */
export const serverText: Readonly<Record<ServerStatus, StatusLabel>> = {
	disabled: label(own`–`, 'disabled', 'dim'),
	lazy: label(own`○`, 'lazy', 'normal'),
	connecting: label(own`◐`, 'connecting', 'busy'),
	connected: label(own`●`, 'connected', 'good'),
	'needs-login': label(own`◇`, 'needs login', 'notice'),
	waiting: label(own`◐`, 'waiting', 'busy'),
	failed: label(own`✖`, 'failed', 'bad'),
	stopped: label(own`–`, 'stopped', 'dim'),
};

/** The ends of an approval. */
export const approvalText: Readonly<Record<ApprovalOutcomeName, StatusLabel>> = {
	approved: label(own`✔`, 'approved', 'good'),
	denied: label(own`✖`, 'denied', 'bad'),
	timed_out: label(own`○`, 'timed out', 'busy'),
	no_channel: label(own`○`, 'nobody to ask', 'busy'),
	cancelled: label(own`–`, 'cancelled', 'dim'),
};

/** The ends of a tool call. */
export const callText: Readonly<Record<CallOutcome, StatusLabel>> = {
	...approvalText,
	ok: label(own`●`, 'ok', 'good'),
	tool_error: label(own`✖`, 'tool error', 'busy'),
	failed: label(own`✖`, 'failed', 'bad'),
	outcome_uncertain: label(own`◇`, 'uncertain', 'notice'),
};

/** The ends of a webhook request. */
export const webhookText: Readonly<Record<WebhookOutcomeName, StatusLabel>> = {
	accepted: label(own`●`, 'accepted', 'good'),
	coalesced: label(own`●`, 'coalesced', 'good'),
	duplicate: label(own`○`, 'duplicate', 'dim'),
	ignored: label(own`○`, 'ignored', 'dim'),
	delivered: label(own`✔`, 'delivered', 'good'),
	rejected: label(own`✖`, 'rejected', 'bad'),
	delivery_failed: label(own`✖`, 'not delivered', 'bad'),
	outcome_uncertain: label(own`◇`, 'uncertain', 'notice'),
	unavailable: label(own`✖`, 'unavailable', 'busy'),
};

/** The states of a run. */
export const runText: Readonly<Record<RunStatus, StatusLabel>> = {
	queued: label(own`○`, 'queued', 'normal'),
	running: label(own`◐`, 'running', 'busy'),
	inbox: label(own`◇`, 'inbox', 'notice'),
	finished: label(own`✔`, 'finished', 'good'),
	failed: label(own`✖`, 'failed', 'bad'),
	cancelled: label(own`–`, 'cancelled', 'dim'),
	interrupted: label(own`✖`, 'interrupted', 'busy'),
	unreadable: label(own`✖`, 'unreadable', 'busy'),
};

/** The states of a tool call of a run that has not ended. */
export const stepText: Readonly<Record<RunStep['state'], StatusLabel>> = {
	waiting: label(own`▲`, 'waits', 'notice'),
	running: label(own`◐`, 'running', 'busy'),
	done: label(own`●`, 'done', 'good'),
};

/** The levels of a log line. */
export const logText: Readonly<Record<'debug' | 'info' | 'warning' | 'error', StatusLabel>> = {
	debug: label(own`·`, 'debug', 'dim'),
	info: label(own`·`, 'info', 'normal'),
	warning: label(own`▲`, 'warning', 'busy'),
	error: label(own`✖`, 'error', 'bad'),
};

/** The states of a login. */
export const loginText: Readonly<Record<LoginStatus, StatusLabel>> = {
	discovering: label(own`◐`, 'contacting server', 'busy'),
	registering: label(own`◐`, 'registering', 'busy'),
	'awaiting-redirect': label(own`◇`, 'waits for browser', 'notice'),
	'awaiting-device': label(own`◇`, 'waits for code', 'notice'),
	exchanging: label(own`◐`, 'fetching tokens', 'busy'),
	succeeded: label(own`✔`, 'logged in', 'good'),
	failed: label(own`✖`, 'failed', 'bad'),
	cancelled: label(own`–`, 'cancelled', 'dim'),
};

/** The states of a scheduled job. */
export const jobText: Readonly<Record<JobRow['state'], StatusLabel>> = {
	scheduled: label(own`●`, 'scheduled', 'good'),
	running: label(own`◐`, 'running', 'busy'),
	paused: label(own`○`, 'paused', 'busy'),
	disabled: label(own`–`, 'disabled', 'dim'),
	finished: label(own`✔`, 'finished', 'dim'),
};

/** The states of a webhook route. */
export const routeText: Readonly<Record<RouteRow['state'], StatusLabel>> = {
	served: label(own`●`, 'served', 'good'),
	paused: label(own`○`, 'paused', 'busy'),
	failed: label(own`✖`, 'failed', 'bad'),
	skipped: label(own`✖`, 'skipped', 'bad'),
};

/** A route or platform whose deliveries fail, whatever its own state. */
export const failingText: StatusLabel = label(own`✖`, 'failing', 'bad');

/** The states of a tool. */
export const toolText: Readonly<Record<ToolRow['state'], StatusLabel>> = {
	registered: label(own`●`, 'registered', 'good'),
	filtered: label(own`–`, 'filtered', 'dim'),
	'name-taken': label(own`✖`, 'name taken', 'busy'),
	unusable: label(own`✖`, 'unusable', 'bad'),
};

/** Whether a call of a tool would ask for approval. */
export const approvalNeedText: Readonly<Record<ToolRow['approval'], string>> = {
	none: 'passes',
	ask: 'asks',
	remembered: 'remembered',
};

/** What a rule does; `void` is a remembered approval whose tool has changed since, `rules_invalid` stands for rules that cannot be read. */
export const ruleText: Readonly<Record<RuleRow['action'] | 'void' | 'rules_invalid', StatusLabel>> = {
	allow: label(own`✔`, 'allow', 'good'),
	ask: label(own`◇`, 'ask', 'notice'),
	deny: label(own`✖`, 'deny', 'bad'),
	void: label(own`○`, 'void', 'busy'),
	rules_invalid: label(own`✖`, 'rules_invalid', 'bad'),
};

/** The states of a part of the gateway. */
export const partText: Readonly<
	Record<'usable' | 'unusable' | 'disabled' | 'listening' | 'off' | 'failed' | 'none', StatusLabel>
> = {
	usable: label(own`●`, 'usable', 'good'),
	listening: label(own`●`, 'listening', 'good'),
	unusable: label(own`✖`, 'unusable', 'busy'),
	failed: label(own`✖`, 'failed', 'bad'),
	disabled: label(own`–`, 'disabled', 'dim'),
	off: label(own`–`, 'off', 'dim'),
	none: label(own`○`, 'none', 'busy'),
};

/** A server's claims about its tool, in words. */
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
