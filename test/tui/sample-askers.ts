import {type AskedRow, type ViewEvent} from '../../source/state/view-event.ts';
import {sampleTime} from './sample-events.ts';

/** Requests of one asker about one tool. */
export function asked(name: string, change: Partial<AskedRow> = {}): AskedRow {
	const about = {asker: {kind: 'client', name}, server: 'files', tool: 'write_file'} as const;
	return {...about, asked: 1, allowed: 1, denied: 0, lastAt: sampleTime, callId: `call of ${name}`, ...change};
}

/** The answer to a window that asked who asks. */
export function askers(...counts: readonly AskedRow[]): Extract<ViewEvent, {type: 'view.askers'}> {
	return {type: 'view.askers', counts};
}
