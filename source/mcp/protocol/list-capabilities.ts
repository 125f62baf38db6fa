import {type Client} from '@modelcontextprotocol/client';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {type ServerCapabilities} from '../connection.ts';
import {noSdkTimeout} from './handshake.ts';
import {headerFault} from './header-annotations.ts';
import {rawResult} from './raw-responses.ts';
import {listTools, readToolPage, type ToolListing} from './tool-listing.ts';
import {quoted} from '../../util/safe-text.ts';

/** The capabilities of a server, and what was left out, in words for the log. */
export type Listing = {readonly offer: ServerCapabilities; readonly warnings: readonly string[]};

/** Lists the capabilities of a connected server. Rejects with Problem `connect_timeout` or the errors of the SDK. */
export async function listCapabilities(options: {
	readonly client: Client;
	readonly clock: Clock;
	readonly timeoutSeconds: number;
	/** Arguments may be mirrored into headers: Streamable HTTP of the stateless era. */
	readonly headers: 'mirrored' | 'none';
	readonly signal: AbortSignal;
}): Promise<Listing> {
	const {client, clock, timeoutSeconds} = options;
	const limit = openDeadline(clock, timeoutSeconds * 1000, {
		signal: options.signal,
		reason: () =>
			new Problem('connect_timeout', {message: `The server did not list its tools within ${timeoutSeconds} s`}),
	});
	const {signal} = limit;
	const fetchPage = async (cursor: string | undefined) => {
		const params = cursor === undefined ? {} : {cursor};
		const answer = await client.request({method: 'tools/list', params}, {signal, timeout: noSdkTimeout});
		return readToolPage(rawResult(answer));
	};

	try {
		const capabilities = client.getServerCapabilities();
		const listed = capabilities?.tools ? await untilAborted(listTools(fetchPage), signal) : {tools: [], warnings: []};
		const {tools, warnings} = options.headers === 'mirrored' ? withoutHeaderFaults(listed) : listed;
		return {
			offer: {
				tools,
				resources: Boolean(capabilities?.resources),
				prompts: Boolean(capabilities?.prompts),
				...instructionsOf(client),
			},
			warnings,
		};
	} finally {
		limit.cancel();
	}
}

/** More is not shown to anybody. */
const maxInstructionCharacters = 1000;

function instructionsOf(client: Client): {readonly instructions?: string} {
	const instructions = client.getInstructions()?.slice(0, maxInstructionCharacters).trim() ?? '';
	return instructions === '' ? {} : {instructions};
}

const maxWarnings = 20;

/** A tool with invalid annotations must not be used (2026-07-28); the other tools stay. */
function withoutHeaderFaults({tools, warnings}: ToolListing): ToolListing {
	const faults = tools.flatMap(tool => {
		const fault = headerFault(tool.inputSchema);
		return fault === undefined ? [] : [{tool, fault}];
	});
	const faulty = new Set(faults.map(({tool}) => tool));
	const named = faults
		.slice(0, maxWarnings)
		.map(
			({tool, fault}) => `the tool ${quoted(tool.name, {maximumCharacters: 100})} is left out: x-mcp-header ${fault}`,
		);
	const more =
		faults.length > maxWarnings ? [`${faults.length - maxWarnings} more tools are left out for x-mcp-header`] : [];
	return {tools: tools.filter(tool => !faulty.has(tool)), warnings: [...warnings, ...named, ...more]};
}
