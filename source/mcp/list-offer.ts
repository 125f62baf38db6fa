import {type Client} from '@modelcontextprotocol/client';
import {type Clock, openDeadline, untilAborted} from '../util/clock.ts';
import {Problem} from '../util/problem.ts';
import {type ServerOffer} from './connection.ts';
import {noSdkTimeout} from './handshake.ts';
import {listTools, toolPageSchema} from './tool-listing.ts';

/** What a server offers, and what was left out of it, in words for the log. */
export type Listing = {readonly offer: ServerOffer; readonly remarks: readonly string[]};

/** Reads what a connected server offers. Rejects with Problem `connect_timeout` or the errors of the SDK. */
export async function listOffer(options: {
	readonly client: Client;
	readonly clock: Clock;
	readonly timeoutSeconds: number;
	readonly signal: AbortSignal;
}): Promise<Listing> {
	const {client, clock, timeoutSeconds} = options;
	const limit = openDeadline(clock, timeoutSeconds * 1000, {
		signal: options.signal,
		reason: () =>
			new Problem('connect_timeout', {message: `The server did not list its tools within ${timeoutSeconds} s`}),
	});
	const {signal} = limit;
	const fetchPage = (cursor: string | undefined) => {
		const params = cursor === undefined ? {} : {cursor};
		return client.request({method: 'tools/list', params}, toolPageSchema, {signal, timeout: noSdkTimeout});
	};

	try {
		const capabilities = client.getServerCapabilities();
		const {tools, remarks} = capabilities?.tools
			? await untilAborted(listTools(fetchPage), signal)
			: {tools: [], remarks: []};
		return {
			offer: {tools, resources: Boolean(capabilities?.resources), prompts: Boolean(capabilities?.prompts)},
			remarks,
		};
	} finally {
		limit.cancel();
	}
}
