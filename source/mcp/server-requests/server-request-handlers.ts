import {Client, type ClientCapabilities, type ClientOptions} from '@modelcontextprotocol/client';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock} from '../../util/clock.ts';
import {createElicitation, type Elicit, type ElicitationOptions} from './elicitation.ts';
import {createOpenRequests, type OpenRequests} from './open-requests.ts';
import {createSampling, type Sample, type SamplingOptions} from './sampling.ts';

/** Whom the servers of a profile may ask: a person for values, the configured model for an answer. */
export type ServerRequestTargets = {
	readonly askPerson: ElicitationOptions['askPerson'];
	/** The configured model; undefined while there is none: then sampling is not declared (docs/tool-servers.md, Elicitation). */
	readonly complete: SamplingOptions['complete'];
	readonly approveSampling: SamplingOptions['approval'];
};

/** What answers a server that asks us something. What is absent is not declared, so a server must not ask it. */
export type ServerRequestHandlers = {readonly elicit?: Elicit; readonly sample?: Sample};

/** Answers what one server asks, as far as its entry allows it and somebody is there to be asked. */
export type HandlersOfServer = {
	/** The requests on whose behalf the server asks. */
	readonly requests: OpenRequests;
	/** The handlers for the next session: a model may be configured by then. */
	readonly current: () => ServerRequestHandlers;
};

/** Builds the handlers of a server. All its sessions share them: what was allowed still counts after a reconnect. */
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

/** A client that declares and answers what the handlers answer: as requests in the legacy era, inside the call in the stateless one. */
export function createServerRequestClient(
	version: string,
	{elicit, sample}: ServerRequestHandlers,
	options: Pick<ClientOptions, 'versionNegotiation'>,
): Client {
	const capabilities: ClientCapabilities = {
		...(elicit && {elicitation: formsOnly()}),
		...(sample && {sampling: {}}),
	};
	const client = new Client({name: 'sluice', version}, {...options, capabilities});
	if (elicit) {
		client.setRequestHandler('elicitation/create', (request, context) => elicit(request.params, context.mcpReq.signal));
	}

	if (sample) {
		client.setRequestHandler('sampling/createMessage', (request, context) =>
			sample(request.params, context.mcpReq.signal),
		);
	}

	return client;
}

/**
Forms are declared and addresses are not. The SDK would answer an address with an error of the protocol, which costs a stateless server its whole call;
a member that is never sent lets the request through to us, who decline it (docs/tool-servers.md, Elicitation).
*/
function formsOnly(): NonNullable<ClientCapabilities['elicitation']> {
	return Object.defineProperty({form: {}}, 'url', {value: {}, enumerable: false});
}

const mostPerMinute = 10;
const minuteMilliseconds = 60_000;

/** Lets the first ten warnings of a minute through and counts the rest: a server must not fill the log by asking. */
export function createLimitedWarning(clock: Clock, warn: (text: string) => void): (text: string) => void {
	let minute = Number.NEGATIVE_INFINITY;
	let passed = 0;
	let dropped = 0;
	return text => {
		const now = clock.elapsed();
		if (now - minute >= minuteMilliseconds) {
			if (dropped > 0) {
				warn(`${dropped} more warnings about its requests were left out`);
			}

			minute = now;
			passed = 0;
			dropped = 0;
		}

		if (passed < mostPerMinute) {
			passed++;
			warn(text);
		} else {
			dropped++;
		}
	};
}
