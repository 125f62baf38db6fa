import {type RunAgent} from '../../source/runs/run-profile.ts';
import {createRuns} from '../../source/runs/runs.ts';
import {type FakeClock, createFakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {openLogDelivery} from '../helpers/log-delivery.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {fakeAgent, type FakeAnswer} from './fake-agent.ts';

/** Runs over a real journal and the real delivery. */
export function openRuns(
	options: {
		readonly complete?: FakeAnswer;
		readonly agent?: RunAgent;
		readonly path?: string;
		readonly clock?: FakeClock;
	} = {},
) {
	const {complete, agent = fakeAgent(complete), clock = createFakeClock(), path} = options;
	const journal = openTestJournal({clock, path});
	const recorded = recordEvents();
	const {publish} = recorded;
	const deliver = openLogDelivery({clock, publish});
	const profileOf = () => ({publish, agent});
	const runs = createRuns({
		journal,
		clock,
		publish,
		deliver,
		limits: () => ({maxRunning: 2, maxWaiting: 100}),
		isHeld: () => false,
		profileOf,
		payloadOf: async eventId => `payload of ${eventId}`,
	});
	const states = () => recorded.ofType('run.state').map(event => `${event.runId} ${event.state}`);
	return {clock, journal, runs, states, ...recorded};
}
