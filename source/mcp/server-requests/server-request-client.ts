import {Client, type ClientCapabilities, type ClientOptions} from '@modelcontextprotocol/client';
import {type Elicit} from './elicitation.ts';
import {type Sample} from './sampling.ts';

/** Who answers what a server asks of us. What is absent is not declared, so a server must not ask it. */
export type ServerRequestHandlers = {readonly elicit?: Elicit; readonly sample?: Sample};

/** A client that declares what is answered, and answers it: as requests in the legacy era, inside the call in the stateless one. */
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
