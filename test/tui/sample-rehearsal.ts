import {type GatewayEventBody} from '../../source/state/event.ts';
import {type RehearsalProgress} from '../../source/state/view-event.ts';
import {sampleTime} from './sample-events.ts';

type Finished = Extract<RehearsalProgress, {state: 'over'}>;

const found: Finished = {
	state: 'over',
	calls: 1234,
	since: sampleTime - 86_400_000,
	reach: 'all-calls',
	before: {allow: 900, ask: 200, deny: 130},
	after: {allow: 1000, ask: 100, deny: 134},
	changes: 2,
	changed: [
		{
			callId: 'call-new',
			time: sampleTime,
			server: 'files',
			tool: 'read',
			before: 'ask',
			after: 'allow',
			rule: 'allows files/read',
		},
		{callId: 'call-old', time: sampleTime - 1000, server: 'files', tool: 'wipe', before: 'allow', after: 'deny'},
	],
};

/** The result of a rehearsal, without a rule where one is named. */
export function rehearsal(change: Partial<Finished> = {}, without?: string): GatewayEventBody {
	return {type: 'view.rehearsal', progress: {...found, ...change}, ...(without !== undefined && {without})};
}

/** A rehearsal that is under way, or has failed. */
export function unfinished(progress: Exclude<RehearsalProgress, Finished>): GatewayEventBody {
	return {type: 'view.rehearsal', progress};
}
