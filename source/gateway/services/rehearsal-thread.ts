import {parentPort, workerData} from 'node:worker_threads';
import {createRehearsal} from '../../approvals/rehearsal.ts';
import {rehearsalFacts} from '../stores/rehearsal-facts.ts';
import {type RehearsalRequest, type RehearsalThreadData} from './rehearsals.ts';

const {present, tried, facts, triedFacts, maxChanged} = workerData as RehearsalThreadData;
const own = rehearsalFacts(facts);
const rehearsal = createRehearsal({present, tried}, own, triedFacts === facts ? own : rehearsalFacts(triedFacts));

parentPort?.on('message', (request: RehearsalRequest) => {
	if (request.kind === 'calls') {
		rehearsal.add(request.calls);
		answer(undefined);
	} else {
		const figures = rehearsal.figures();
		answer({...figures, changed: figures.changed.slice(0, maxChanged)});
	}
});

function answer(value: ReturnType<typeof rehearsal.figures> | undefined): void {
	parentPort?.postMessage(value, []);
}
