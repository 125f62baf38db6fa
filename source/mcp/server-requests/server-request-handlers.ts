import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock} from '../../util/clock.ts';
import {type ServerRequestHandlers} from './server-request-client.ts';
import {createLimitedWarning} from './limited-warning.ts';
import {createElicitation, type ElicitationOptions} from './elicitation.ts';
import {createOpenRequests, type OpenRequests} from './open-requests.ts';
import {createSampling, type SamplingOptions} from './sampling.ts';

/** Whom the servers of a profile may ask. */
export type ServerRequestTargets = {
	readonly askPerson: ElicitationOptions['askPerson'];
	/** The configured model; undefined while there is none: then sampling is not declared (docs/tool-servers.md, Elicitation). */
	readonly complete: SamplingOptions['complete'];
	readonly approveSampling: SamplingOptions['approval'];
};

/** Who answers one server: as its entry allows, and as far as somebody is there to be asked. */
export type HandlersOfServer = {
	/** On whose behalf the server asks. */
	readonly requests: OpenRequests;
	/** For the next session: a model may be there by then. */
	readonly current: () => ServerRequestHandlers;
};

/** Puts the answerers of a server together. They are the same for all its sessions: what was let through counts on after a reconnect. */
export function createServerRequestHandlers(
	config: ServerConfig,
	targets: ServerRequestTargets | undefined,
	context: {readonly clock: Clock; readonly warn: (text: string) => void},
): HandlersOfServer {
	const requests = createOpenRequests();
	if (!targets) {
		return {requests, current: () => ({})};
	}

	const {clock} = context;
	const warn = createLimitedWarning(clock, context.warn);
	const {askPerson, approveSampling: approval, complete} = targets;
	const {name: server, elicitation, sampling: policy} = config;
	const elicit = elicitation && createElicitation({...elicitation, server, askPerson, requests, warn});
	const sample = policy && createSampling({config, policy, approval, complete, requests, clock, warn});
	return {requests, current: () => ({...(elicit && {elicit}), ...(sample && complete() && {sample})})};
}
