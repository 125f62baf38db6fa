import {type ApprovalOutcomeName, type CallOutcome} from '../state/approval-event.ts';
import {type ServerStatus, type WebhookOutcomeName} from '../state/event.ts';
import {type LoginStatus} from '../state/login-event.ts';
import {type RunStatus, type RunStep} from '../state/run-event.ts';
import {type JobRow, type RouteRow} from '../state/snapshot.ts';
import {type RuleRow, type ToolRow} from '../state/view-event.ts';
import {type Tone} from './theme.ts';

/** A state as a person reads it: sign and word together, so that neither colour nor shape carries it alone. */
export type StatusWord = {readonly glyph: string; readonly word: string; readonly tone: Tone};

/** Signs that stand outside of a state. */
export const signs = {
	approval: '▲',
	question: '◆',
	running: '◐',
	up: '●',
	bad: '✖',
	more: '↓',
	preset: '▌',
	rule: '─',
	full: '━',
	picked: '◉',
	open: '○',
	payload: '»',
} as const;

/** Signs of ours and what stands for them where only ASCII is safe. One cell each on both sides. */
const asciiSigns: Readonly<Record<string, string>> = {
	'●': '*',
	'◐': '~',
	'○': 'o',
	'◇': '?',
	'✖': 'x',
	'–': '-',
	'▲': '!',
	'✔': '+',
	'─': '-',
	'│': '|',
	'·': '-',
	'…': '~',
	'↑': '^',
	'↓': 'v',
	'▌': '>',
	'◆': '?',
	'━': '=',
	'◉': '*',
	'»': '>',
};

/** All of them, for an expression. */
export const ownSigns = Object.keys(asciiSigns).join('');

const anyOwnSign = new RegExp(`[${ownSigns}]`, 'gu');

/** The text with our own signs replaced by ASCII ones. Letters of people and servers stay as they are. */
export function toAscii(text: string): string {
	return text.replaceAll(anyOwnSign, sign => asciiSigns[sign] ?? sign);
}

const word = (glyph: string, text: string, tone: Tone): StatusWord => ({glyph, word: text, tone});

/** The states of a tool server. */
export const serverWords: Readonly<Record<ServerStatus, StatusWord>> = {
	disabled: word('–', 'disabled', 'dim'),
	lazy: word('○', 'lazy', 'normal'),
	connecting: word('◐', 'connecting', 'busy'),
	connected: word('●', 'connected', 'good'),
	'needs-login': word('◇', 'needs login', 'notice'),
	waiting: word('◐', 'waiting', 'busy'),
	failed: word('✖', 'failed', 'bad'),
	stopped: word('–', 'stopped', 'dim'),
};

/** The ends of an approval. */
export const approvalWords: Readonly<Record<ApprovalOutcomeName, StatusWord>> = {
	approved: word('✔', 'approved', 'good'),
	denied: word('✖', 'denied', 'bad'),
	timed_out: word('○', 'timed out', 'busy'),
	no_channel: word('○', 'nobody to ask', 'busy'),
	cancelled: word('–', 'cancelled', 'dim'),
};

/** The ends of a tool call. */
export const callWords: Readonly<Record<CallOutcome, StatusWord>> = {
	...approvalWords,
	ok: word('●', 'ok', 'good'),
	tool_error: word('✖', 'tool error', 'busy'),
	failed: word('✖', 'failed', 'bad'),
	outcome_uncertain: word('◇', 'uncertain', 'notice'),
};

/** The ends of a webhook request. */
export const webhookWords: Readonly<Record<WebhookOutcomeName, StatusWord>> = {
	accepted: word('●', 'accepted', 'good'),
	coalesced: word('●', 'coalesced', 'good'),
	duplicate: word('○', 'duplicate', 'dim'),
	ignored: word('○', 'ignored', 'dim'),
	delivered: word('✔', 'delivered', 'good'),
	rejected: word('✖', 'rejected', 'bad'),
	delivery_failed: word('✖', 'not delivered', 'bad'),
	unavailable: word('✖', 'unavailable', 'busy'),
};

/** The states of a run. */
export const runWords: Readonly<Record<RunStatus, StatusWord>> = {
	queued: word('○', 'queued', 'normal'),
	running: word('◐', 'running', 'busy'),
	inbox: word('◇', 'inbox', 'notice'),
	finished: word('✔', 'finished', 'good'),
	failed: word('✖', 'failed', 'bad'),
	cancelled: word('–', 'cancelled', 'dim'),
	interrupted: word('✖', 'interrupted', 'busy'),
};

/** The states of a tool call of a run that has not ended. */
export const stepWords: Readonly<Record<RunStep['state'], StatusWord>> = {
	waiting: word('▲', 'waits', 'notice'),
	running: word('◐', 'running', 'busy'),
	done: word('●', 'done', 'good'),
};

/** The weights of a log line. */
export const logWords: Readonly<Record<'debug' | 'info' | 'warning' | 'error', StatusWord>> = {
	debug: word('·', 'debug', 'dim'),
	info: word('·', 'info', 'normal'),
	warning: word('▲', 'warning', 'busy'),
	error: word('✖', 'error', 'bad'),
};

/** The states of a login. */
export const loginWords: Readonly<Record<LoginStatus, StatusWord>> = {
	discovering: word('◐', 'finding the way', 'busy'),
	registering: word('◐', 'registering', 'busy'),
	'awaiting-redirect': word('◇', 'waits for browser', 'notice'),
	'awaiting-device': word('◇', 'waits for code', 'notice'),
	exchanging: word('◐', 'fetching tokens', 'busy'),
	succeeded: word('✔', 'logged in', 'good'),
	failed: word('✖', 'failed', 'bad'),
	cancelled: word('–', 'cancelled', 'dim'),
};

/** The states of a scheduled job. */
export const jobWords: Readonly<Record<JobRow['state'], StatusWord>> = {
	scheduled: word('●', 'scheduled', 'good'),
	running: word('◐', 'running', 'busy'),
	paused: word('○', 'paused', 'busy'),
	disabled: word('–', 'disabled', 'dim'),
	finished: word('✔', 'finished', 'dim'),
};

/** The states of a webhook route. */
export const routeWords: Readonly<Record<RouteRow['state'], StatusWord>> = {
	served: word('●', 'served', 'good'),
	paused: word('○', 'paused', 'busy'),
	refused: word('✖', 'refused', 'bad'),
	skipped: word('✖', 'skipped', 'bad'),
};

/** The states of a tool. */
export const toolWords: Readonly<Record<ToolRow['state'], StatusWord>> = {
	registered: word('●', 'registered', 'good'),
	filtered: word('–', 'filtered', 'dim'),
	'name-taken': word('✖', 'name taken', 'busy'),
	unusable: word('✖', 'unusable', 'bad'),
};

/** What a call of a tool would meet at the gate. */
export const gateWords: Readonly<Record<ToolRow['approval'], string>> = {
	none: 'passes',
	ask: 'asks',
	remembered: 'remembered',
};

/** The states of a remembered approval. */
export const ruleWords: Readonly<Record<RuleRow['state'], StatusWord>> = {
	valid: word('●', 'valid', 'good'),
	void: word('○', 'void', 'busy'),
};

/** The states of a part of the gateway. */
export const partWords: Readonly<
	Record<'usable' | 'unusable' | 'disabled' | 'listening' | 'off' | 'failed' | 'none', StatusWord>
> = {
	usable: word('●', 'usable', 'good'),
	listening: word('●', 'listening', 'good'),
	unusable: word('✖', 'unusable', 'busy'),
	failed: word('✖', 'failed', 'bad'),
	disabled: word('–', 'disabled', 'dim'),
	off: word('–', 'off', 'dim'),
	none: word('○', 'none', 'busy'),
};
