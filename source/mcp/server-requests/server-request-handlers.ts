import {Client, type ClientCapabilities, type ClientOptions} from '@modelcontextprotocol/client';
import {type ServerConfig} from '../../config/servers/server-entry.ts';
import {type Clock} from '../../util/clock.ts';
import {createIntervalCount} from '../../util/limits/interval-count.ts';
import {createElicitation, type Elicitation, type ElicitationOptions, type OpenPages} from './elicitation.ts';
import {createOpenRequests, type OpenRequests} from './open-requests.ts';
import {createSampling, type Sample, type SamplingOptions} from './sampling.ts';

/** The recipients of servers' requests: a person for values, the configured model for completions. */
export type ServerRequestTargets = {
	readonly askPerson: ElicitationOptions['askPerson'];
	readonly pageFinished: ElicitationOptions['pageFinished'];
	/** The configured model; undefined while there is none: sampling is not declared then (docs/tool-servers.md, Elicitation). */
	readonly complete: SamplingOptions['complete'];
	readonly approveSampling: SamplingOptions['approval'];
	/** The hold that both wait for while everything is held. */
	readonly hold: SamplingOptions['hold'];
};

/** Handlers of a server's requests. A capability without a handler is not declared, so a server must not use it. */
export type ServerRequestHandlers = {readonly elicitation?: Elicitation; readonly sample?: Sample};

/** Handles the requests of one server, as far as its entry allows them and a recipient is there. */
export type HandlersOfServer = {
	/** The open requests to the server, on whose behalf it asks. */
	readonly requests: OpenRequests;
	/** Absent: no page is opened for the server. */
	readonly openPages?: OpenPages | undefined;
	/** The handlers for the next session: a model may be configured by then. */
	readonly current: () => ServerRequestHandlers;
};

/** Builds the handlers of a server. All its sessions share them, so that counts and approvals survive a reconnect. */
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
	const {askPerson, pageFinished, approveSampling: approval, complete, hold} = targets;
	const {name: server, sampling: policy} = config;
	const elicitation =
		config.elicitation &&
		createElicitation({...config.elicitation, server, askPerson, pageFinished, hold, requests, warn});
	const sample = policy && createSampling({config, policy, approval, complete, hold, requests, clock, warn});
	return {
		requests,
		openPages: elicitation?.pages === 'asked' ? elicitation.openPages : undefined,
		current: () => ({...(elicitation && {elicitation}), ...(sample && complete() && {sample})}),
	};
}

/** A client that declares and uses the handlers: as requests in the legacy era, inside the call in the stateless one. */
export function createServerRequestClient(
	version: string,
	{elicitation, sample}: ServerRequestHandlers,
	options: Pick<ClientOptions, 'versionNegotiation'>,
): Client {
	const capabilities: ClientCapabilities = {
		...(elicitation && {elicitation: elicitation.pages === 'asked' ? {form: {}, url: {}} : formsOnly()}),
		...(sample && {sampling: {}}),
	};
	const client = new Client({name: 'sluice', version}, {...options, capabilities});
	if (elicitation) {
		client.setRequestHandler('elicitation/create', ({params}, {mcpReq}) => elicitation.elicit(params, mcpReq.signal));
		client.setNotificationHandler('notifications/elicitation/complete', ({params}) =>
			elicitation.complete(params.elicitationId),
		);
	}

	if (sample) {
		client.setRequestHandler('sampling/createMessage', (request, context) =>
			sample(request.params, context.mcpReq.signal),
		);
	}

	return client;
}

/**
Without `elicitation.url` forms are declared and URLs are not. The SDK would answer a URL request with a protocol error, which fails a stateless server's whole call;
with a member that is never sent, the request reaches our handler, which declines it (docs/tool-servers.md, Elicitation).
*/
function formsOnly(): NonNullable<ClientCapabilities['elicitation']> {
	return Object.defineProperty({form: {}}, 'url', {value: {}, enumerable: false});
}

const maxPerMinute = 10;
const minuteMilliseconds = 60_000;

/** Passes the first ten warnings of a minute and counts the rest: a server must not fill the log with requests. */
export function createLimitedWarning(clock: Clock, warn: (text: string) => void): (text: string) => void {
	const minute = createIntervalCount(clock, minuteMilliseconds);
	let dropped = 0;
	return text => {
		if (minute.count() === 0 && dropped > 0) {
			warn(`${dropped} more warnings about its requests were left out`);
			dropped = 0;
		}

		if (minute.add() <= maxPerMinute) {
			warn(text);
		} else {
			dropped++;
		}
	};
}
