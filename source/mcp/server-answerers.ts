import {type AskPerson} from '../approvals/question-desk.ts';
import {type ServerConfig} from '../config/server-entry.ts';
import {type Clock} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {type Answerers} from './asked-client.ts';
import {type Complete} from './completion.ts';
import {createElicitation} from './elicitation.ts';
import {type OpenRequests} from './open-requests.ts';
import {createSampling} from './sampling.ts';
import {type SamplingGate} from './sampling-gate.ts';

/** Whom the servers of a profile may ask. */
export type AskedParties = {
	readonly askPerson: AskPerson;
	/** The configured model; undefined while there is none: then sampling is not declared (spec/decisions.md, D6). */
	readonly complete: () => Complete | undefined;
	readonly samplingGate: SamplingGate;
};

/** Who answers one server, for the next session: as its entry allows, and as far as somebody is there to be asked. */
export function createServerAnswerers(
	config: ServerConfig,
	parties: AskedParties | undefined,
	context: {
		readonly clock: Clock;
		readonly requests: OpenRequests;
		readonly remark: (text: string) => void;
	},
): () => Answerers {
	if (!parties) {
		return () => ({});
	}

	const {askPerson, samplingGate: gate} = parties;
	const {elicitation, sampling: policy} = config;
	const elicit =
		elicitation &&
		createElicitation({server: config.name, timeoutSeconds: elicitation.timeoutSeconds, askPerson, ...context});
	// One for all sessions: what was let through counts on after a reconnect.
	const sample =
		policy &&
		createSampling({
			config,
			policy,
			gate,
			...context,
			complete(request, options) {
				const complete = parties.complete();
				return complete ? complete(request, options) : Promise.reject(noModel());
			},
		});
	return () => ({...(elicit && {elicit}), ...(sample && parties.complete() && {sample})});
}

function noModel(): Problem {
	return new Problem('sampling_refused', {message: 'No model is configured'});
}
