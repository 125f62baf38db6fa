import {type ApprovalOutcomeName, type CallOutcome} from '../state/approval-event.ts';
import {type ServerStatus, type WebhookOutcomeName} from '../state/event.ts';
import {type RunStatus} from '../state/run-event.ts';

/** What a piece of text means to the reader. */
export type Tone = 'normal' | 'dim' | 'strong' | 'good' | 'busy' | 'bad' | 'notice' | 'accent' | 'selected';

/** How a tone looks: attributes of Ink's Text. */
export type Look = {
	readonly color?: string;
	readonly dimColor?: boolean;
	readonly bold?: boolean;
	readonly inverse?: boolean;
};

/** A state as a person reads it: sign and word together, so that neither colour nor shape carries it alone. */
export type StatusWord = {readonly glyph: string; readonly word: string; readonly tone: Tone};

const colourLooks: Readonly<Record<Tone, Look>> = {
	normal: {},
	dim: {dimColor: true},
	strong: {bold: true},
	good: {color: 'green'},
	busy: {color: 'yellow'},
	bad: {color: 'red', bold: true},
	notice: {color: 'magenta', bold: true},
	accent: {color: 'cyan'},
	selected: {inverse: true},
};

/** How every tone looks. Without colours only weight and inversion are left. */
export function looks(noColor: boolean): Readonly<Record<Tone, Look>> {
	const plain = (look: Look): Look => ({dimColor: look.dimColor, bold: look.bold, inverse: look.inverse});
	const {normal, dim, strong, good, busy, bad, notice, accent, selected} = colourLooks;
	return noColor
		? {
				normal,
				dim: plain(dim),
				strong,
				good: plain(good),
				busy: plain(busy),
				bad: plain(bad),
				notice: plain(notice),
				accent: plain(accent),
				selected,
			}
		: colourLooks;
}

/** Signs that stand outside of a state. */
export const signs = {approval: '▲', up: '●', bad: '✖', more: '↓', preset: '▌', rule: '─'} as const;

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
};

/** The text with our own signs replaced by ASCII ones. Letters of people and servers stay as they are. */
export function toAscii(text: string): string {
	return text.replaceAll(/[●◐○◇✖–▲✔─│·…↑↓▌]/gu, sign => asciiSigns[sign] ?? sign);
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

/** The weights of a log line. */
export const logWords: Readonly<Record<'debug' | 'info' | 'warning' | 'error', StatusWord>> = {
	debug: word('·', 'debug', 'dim'),
	info: word('·', 'info', 'normal'),
	warning: word('▲', 'warning', 'busy'),
	error: word('✖', 'error', 'bad'),
};
