import {expect, onTestFinished, vi} from 'vitest';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {allPlatforms} from '../simulators/platforms/all-platforms.ts';
import {openDelivery} from './open-delivery.ts';

/** The facts about one way to a platform that the contract needs; everything else is the same for all. */
type Row = {
	readonly target: string;
	/** The form of the simulator's chats in `deliver_extra`, with the other keys that it needs. */
	readonly chat: (id: string) => JsonObject;
	/** `bound`: the settings lead to one chat. */
	readonly chats: 'named' | 'optional' | 'bound';
	readonly repeat: 'safe' | 'unsafe';
	/** The reaction to a platform that says "too fast". */
	readonly waits: boolean;
	/** The state after a server error of this platform: its gateway may have passed the message on. */
	readonly serverError: 'failed' | 'uncertain';
	/** The treatment of a long text: one message or several. */
	readonly splits: boolean;
	readonly threads: boolean;
};

const usual: Omit<Row, 'target'> = {
	chat: id => ({chat_id: id}),
	chats: 'named',
	repeat: 'unsafe',
	waits: true,
	serverError: 'failed',
	splits: true,
	threads: false,
};

/** One row per way to a platform. */
export const rows: Readonly<Record<Exclude<keyof typeof allPlatforms, 'github_comment'>, Row>> = {
	telegram: {...usual, target: 'telegram', threads: true, serverError: 'uncertain'},
	discord: {...usual, target: 'discord', threads: true, repeat: 'safe'},
	slack: {...usual, target: 'slack', threads: true},
	signal: {...usual, target: 'signal'},
	sms: {...usual, target: 'sms'},
	whatsapp: {...usual, target: 'whatsapp'},
	matrix: {...usual, target: 'matrix', threads: true, repeat: 'safe'},
	mattermost: {...usual, target: 'mattermost', threads: true, repeat: 'safe'},
	homeassistant: {...usual, target: 'homeassistant', chats: 'optional'},
	// A mail server that asks for patience means minutes.
	email: {...usual, target: 'email', waits: false, splits: false},
	// Nor can a robot that rests for ten minutes be waited for.
	dingtalk: {...usual, target: 'dingtalk', chats: 'bound', waits: false},
	feishu: {...usual, target: 'feishu', threads: true, repeat: 'safe'},
	'feishu-webhook': {...usual, target: 'feishu', chats: 'bound'},
	wecom: {...usual, target: 'wecom', repeat: 'safe'},
	'wecom-webhook': {...usual, target: 'wecom', chats: 'bound'},
	weixin: {...usual, target: 'weixin'},
	bluebubbles: {...usual, target: 'bluebubbles'},
	qqbot: {...usual, target: 'qqbot'},
	teams: {...usual, target: 'teams', chats: 'bound'},
	google_chat: {...usual, target: 'google_chat', chats: 'bound'},
	ntfy: {...usual, target: 'ntfy'},
	pagerduty: {...usual, target: 'pagerduty', chats: 'bound', repeat: 'safe', splits: false},
	url: {...usual, target: 'url', splits: false},
};

/** A running simulator, and the approval check to it. */
export async function openRow(name: keyof typeof rows, more: JsonObject = {}) {
	const row = rows[name];
	const clock = createFakeClock();
	const simulator = await allPlatforms[name]({clock});
	onTestFinished(simulator.close);
	const settings = {...simulator.settings, ...more};
	const callOptions = openDelivery({platforms: {[row.target]: settings}, clock});
	const extra = {...simulator.extra, ...(row.chats === 'bound' ? {} : row.chat(simulator.chatId))};
	const deliver = (text: string, other: JsonObject = {}, route?: string) =>
		callOptions.deliver(row.target, text, {...extra, ...other}, route);
	return {...callOptions, row, simulator, deliver, settings};
}

/** Waits until the simulator has seen so many requests: what follows is up to the clock. */
export function seen(simulator: {readonly requests: () => number}, requests: number) {
	return vi.waitFor(() => expect(simulator.requests()).toBe(requests), {interval: 1, timeout: 25_000});
}

/** The ends of deliveries. */
export const delivered = {kind: 'delivered'};
export const failed = {kind: 'failed', problem: {code: 'delivery_failed', message: 'Delivery failed'}};
export const uncertain = {kind: 'uncertain', problem: {code: 'outcome_uncertain'}};
/** Every row's name. */
export const names = Object.keys(rows) as ReadonlyArray<keyof typeof rows>;
/** The names of rows that the test concerns. */
export const where = (choose: (row: Row) => boolean) => names.filter(name => choose(rows[name]));
