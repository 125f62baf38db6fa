import {type ServerConfig} from '../config/server-entry.ts';
import {type Clock} from '../util/clock.ts';
import {type Answerers} from './asked-client.ts';
import {createBoundedRemark} from './bounded-remark.ts';
import {createElicitation, type ElicitationOptions} from './elicitation.ts';
import {createOpenRequests, type OpenRequests} from './open-requests.ts';
import {createSampling, type SamplingOptions} from './sampling.ts';

/** Whom the servers of a profile may ask. */
export type AskedParties = {
	readonly askPerson: ElicitationOptions['askPerson'];
	/** The configured model; undefined while there is none: then sampling is not declared (spec/decisions.md, D6). */
	readonly complete: SamplingOptions['complete'];
	readonly samplingGate: SamplingOptions['gate'];
};

/** Who answers one server: as its entry allows, and as far as somebody is there to be asked. */
export type ServerAnswerers = {
	/** On whose behalf the server asks. */
	readonly requests: OpenRequests;
	/** For the next session: a model may be there by then. */
	readonly current: () => Answerers;
};

/** Puts the answerers of a server together. They are the same for all its sessions: what was let through counts on after a reconnect. */
export function createServerAnswerers(
	config: ServerConfig,
	parties: AskedParties | undefined,
	context: {readonly clock: Clock; readonly remark: (text: string) => void},
): ServerAnswerers {
	const requests = createOpenRequests();
	if (!parties) {
		return {requests, current: () => ({})};
	}

	const {clock} = context;
	const remark = createBoundedRemark(clock, context.remark);
	const {askPerson, samplingGate: gate, complete} = parties;
	const {name: server, elicitation, sampling: policy} = config;
	const elicit = elicitation && createElicitation({...elicitation, server, askPerson, requests, remark});
	const sample = policy && createSampling({config, policy, gate, complete, requests, clock, remark});
	return {requests, current: () => ({...(elicit && {elicit}), ...(sample && complete() && {sample})})};
}
