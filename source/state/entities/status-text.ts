import {type ApprovalOutcomeName, type CallOutcome, type ToolHints} from '../approval-event.ts';
import {type ServerStatus, type WebhookOutcomeName} from '../event.ts';
import {type LoginStatus} from '../person-event.ts';
import {type JobRow, type RouteRow} from '../snapshot.ts';
import {type RuleRow, type ToolRow} from '../view-event.ts';
import {type RunNoteState, type RunStatus, type RunStep} from '../work-event.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';

/** The meaning of a piece of text to the reader. `code` is for QR codes; `name`, `string` and `number` are of JSON; `sign` stands for a character that nobody would see. */
export type Tone =
	| 'normal'
	| 'dim'
	| 'strong'
	| 'good'
	| 'busy'
	| 'bad'
	| 'notice'
	| 'accent'
	| 'selected'
	| 'marked'
	| 'sign'
	| 'name'
	| 'string'
	| 'number'
	| 'added'
	| 'removed'
	| 'emphasis'
	| 'link'
	| 'code';

/** The text of a state: a glyph and a word, so that neither colour nor shape alone carries the meaning. */
export type StatusLabel = {readonly glyph: string; readonly word: string; readonly tone: Tone};

/** Glyphs that do not belong to a state. */
export const glyphs = {
	approval: uiText`▲`,
	question: uiText`◆`,
	running: uiText`◐`,
	up: uiText`●`,
	bad: uiText`✖`,
	more: uiText`↓`,
	preset: uiText`▌`,
	rule: uiText`─`,
	full: uiText`━`,
	picked: uiText`◉`,
	open: uiText`○`,
	payload: uiText`»`,
	gutter: uiText`│`,
} as const;

const label = (glyph: string, word: string, tone: Tone): StatusLabel => ({glyph, word, tone});

/** The states of a tool server. */
export const serverText: Readonly<Record<ServerStatus, StatusLabel>> = {
	disabled: label(uiText`–`, 'disabled', 'dim'),
	lazy: label(uiText`○`, 'lazy', 'normal'),
	connecting: label(uiText`◐`, 'connecting', 'busy'),
	connected: label(uiText`●`, 'connected', 'good'),
	'needs-login': label(uiText`◇`, 'needs login', 'notice'),
	waiting: label(uiText`◐`, 'waiting', 'busy'),
	failed: label(uiText`✖`, 'failed', 'bad'),
	stopped: label(uiText`–`, 'stopped', 'dim'),
};

/** The ends of an approval. */
export const approvalText: Readonly<Record<ApprovalOutcomeName, StatusLabel>> = {
	approved: label(uiText`✔`, 'approved', 'good'),
	denied: label(uiText`✖`, 'denied', 'bad'),
	timed_out: label(uiText`○`, 'timed out', 'busy'),
	no_channel: label(uiText`○`, 'nobody to ask', 'busy'),
	cancelled: label(uiText`–`, 'cancelled', 'dim'),
};

/** The ends of a tool call. */
export const callText: Readonly<Record<CallOutcome, StatusLabel>> = {
	...approvalText,
	ok: label(uiText`●`, 'ok', 'good'),
	tool_error: label(uiText`✖`, 'tool error', 'busy'),
	failed: label(uiText`✖`, 'failed', 'bad'),
	outcome_uncertain: label(uiText`◇`, 'uncertain', 'notice'),
};

/** The ends of a webhook request. */
export const webhookText: Readonly<Record<WebhookOutcomeName, StatusLabel>> = {
	accepted: label(uiText`●`, 'accepted', 'good'),
	coalesced: label(uiText`●`, 'coalesced', 'good'),
	duplicate: label(uiText`○`, 'duplicate', 'dim'),
	ignored: label(uiText`○`, 'ignored', 'dim'),
	delivered: label(uiText`✔`, 'delivered', 'good'),
	rejected: label(uiText`✖`, 'rejected', 'bad'),
	delivery_failed: label(uiText`✖`, 'not delivered', 'bad'),
	outcome_uncertain: label(uiText`◇`, 'uncertain', 'notice'),
	unavailable: label(uiText`✖`, 'unavailable', 'busy'),
};

/** The ends of a delivery. */
export const deliveryText: Readonly<Record<'delivered' | 'failed' | 'retrying' | 'outcome_uncertain', StatusLabel>> = {
	delivered: webhookText.delivered,
	failed: webhookText.delivery_failed,
	retrying: label(uiText`◐`, 'retrying', 'busy'),
	outcome_uncertain: webhookText.outcome_uncertain,
};

/** The states of a run. */
export const runText: Readonly<Record<RunStatus, StatusLabel>> = {
	queued: label(uiText`○`, 'queued', 'normal'),
	running: label(uiText`◐`, 'running', 'busy'),
	inbox: label(uiText`◇`, 'inbox', 'notice'),
	finished: label(uiText`✔`, 'finished', 'good'),
	failed: label(uiText`✖`, 'failed', 'bad'),
	cancelled: label(uiText`–`, 'cancelled', 'dim'),
	interrupted: label(uiText`✖`, 'interrupted', 'busy'),
	unreadable: label(uiText`✖`, 'unreadable', 'busy'),
};

/** The states of a tool call of a run that has not ended. */
export const stepText: Readonly<Record<RunStep['state'], StatusLabel>> = {
	waiting: label(uiText`▲`, 'waits', 'notice'),
	running: label(uiText`◐`, 'running', 'busy'),
	done: label(uiText`●`, 'done', 'good'),
};

/** The states of a note to a run. */
export const noteText: Readonly<Record<RunNoteState, StatusLabel>> = {
	waiting: label(uiText`»`, 'note waits', 'notice'),
	read: label(uiText`»`, 'note read', 'good'),
	unread: label(uiText`✖`, 'not read', 'bad'),
};

/** The states of a request to a model. */
export const turnText: Readonly<Record<'asking' | 'answered' | 'unanswered', StatusLabel>> = {
	asking: label(uiText`◐`, 'asking', 'busy'),
	answered: label(uiText`●`, 'answered', 'normal'),
	unanswered: label(uiText`✖`, 'no answer', 'bad'),
};

/** The levels of a log line. */
export const logText: Readonly<Record<'debug' | 'info' | 'warning' | 'error', StatusLabel>> = {
	debug: label(uiText`·`, 'debug', 'dim'),
	info: label(uiText`·`, 'info', 'normal'),
	warning: label(uiText`▲`, 'warning', 'busy'),
	error: label(uiText`✖`, 'error', 'bad'),
};

/** The states of a login. */
export const loginText: Readonly<Record<LoginStatus, StatusLabel>> = {
	discovering: label(uiText`◐`, 'contacting server', 'busy'),
	registering: label(uiText`◐`, 'registering', 'busy'),
	'awaiting-redirect': label(uiText`◇`, 'waits for browser', 'notice'),
	'awaiting-device': label(uiText`◇`, 'waits for code', 'notice'),
	exchanging: label(uiText`◐`, 'fetching tokens', 'busy'),
	succeeded: label(uiText`✔`, 'logged in', 'good'),
	failed: label(uiText`✖`, 'failed', 'bad'),
	cancelled: label(uiText`–`, 'cancelled', 'dim'),
};

/** The states of a scheduled job. */
export const jobText: Readonly<Record<JobRow['state'], StatusLabel>> = {
	scheduled: label(uiText`●`, 'scheduled', 'good'),
	running: label(uiText`◐`, 'running', 'busy'),
	paused: label(uiText`○`, 'paused', 'busy'),
	disabled: label(uiText`–`, 'disabled', 'dim'),
	finished: label(uiText`✔`, 'finished', 'dim'),
};

/** The states of a webhook route. */
export const routeText: Readonly<Record<RouteRow['state'], StatusLabel>> = {
	served: label(uiText`●`, 'served', 'good'),
	paused: label(uiText`○`, 'paused', 'busy'),
	failed: label(uiText`✖`, 'failed', 'bad'),
	skipped: label(uiText`✖`, 'skipped', 'bad'),
};

/** A route or platform whose deliveries fail, whatever its own state. */
export const failingText: StatusLabel = label(uiText`✖`, 'failing', 'bad');

/** The states of a tool. */
export const toolText: Readonly<Record<ToolRow['state'], StatusLabel>> = {
	registered: label(uiText`●`, 'registered', 'good'),
	filtered: label(uiText`–`, 'filtered', 'dim'),
	'name-taken': label(uiText`✖`, 'name taken', 'busy'),
	unusable: label(uiText`✖`, 'unusable', 'bad'),
};

/** The approval that a call of a tool needs. */
export const approvalNeedText: Readonly<Record<ToolRow['approval'], string>> = {
	none: 'passes',
	ask: 'asks',
	remembered: 'remembered',
};

/** The effect of a rule; `void`: a remembered approval whose tool has changed since; `rules_invalid`: rules that cannot be read. */
export const ruleText: Readonly<Record<RuleRow['action'] | 'void' | 'rules_invalid', StatusLabel>> = {
	allow: label(uiText`✔`, 'allow', 'good'),
	ask: label(uiText`◇`, 'ask', 'notice'),
	deny: label(uiText`✖`, 'deny', 'bad'),
	void: label(uiText`○`, 'void', 'busy'),
	rules_invalid: label(uiText`✖`, 'rules_invalid', 'bad'),
};

/** The states of a part of the gateway. */
export const partText: Readonly<
	Record<'usable' | 'unusable' | 'disabled' | 'listening' | 'off' | 'failed' | 'none', StatusLabel>
> = {
	usable: label(uiText`●`, 'usable', 'good'),
	listening: label(uiText`●`, 'listening', 'good'),
	unusable: label(uiText`✖`, 'unusable', 'busy'),
	failed: label(uiText`✖`, 'failed', 'bad'),
	disabled: label(uiText`–`, 'disabled', 'dim'),
	off: label(uiText`–`, 'off', 'dim'),
	none: label(uiText`○`, 'none', 'busy'),
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
	return words.length === 0 ? 'no hints' : words.join(uiText` · `);
}
