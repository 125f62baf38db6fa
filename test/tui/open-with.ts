import {type GatewayEventBody} from '../../source/state/event.ts';
import {openDashboard} from './open-dashboard.ts';
import {run, started} from './sample-events.ts';

export type Keys = ReadonlyArray<readonly [key: string, shows: string]>;

/** The dashboard after these events and keys; each key is followed by a text that must then be there. */
export async function openWith(events: readonly GatewayEventBody[], keys: Keys) {
	const dashboard = await openDashboard({events: [started(), ...events]});
	for (const [key, text] of keys) {
		await dashboard.press(key);
		await dashboard.shows(text);
	}

	return dashboard;
}

export const inbox = run('r1', {state: 'inbox', prompt: 'Triage', allowedTools: ['mcp__a__b'], deliver: 'telegram'});
export const running = run('r1', {state: 'running', prompt: 'Work'});
export const over = run('r1', {state: 'finished', prompt: 'Work', answer: 'All done.'});
