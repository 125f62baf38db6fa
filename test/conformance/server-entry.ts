import * as z from 'zod';

const clientSchema = z.object({client_id: z.string(), client_secret: z.string()});

/** The document that the suite expects to be named; it is nowhere to be fetched. */
const documentUrl = 'https://conformance-test.local/client-metadata.json';

/** The entry of the suite's server in config.yaml, as somebody who is told the revision and the scenario would write it. */
export function serverEntry(url: string, environment: Readonly<Record<string, string | undefined>>): object {
	const revision = environment['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '';
	const scenario = environment['MCP_CONFORMANCE_SCENARIO'] ?? '';
	const client = clientSchema.safeParse(JSON.parse(environment['MCP_CONFORMANCE_CONTEXT'] ?? '{}')).data;
	const document = scenario === 'auth/basic-cimd' ? {client_metadata_url: documentUrl} : {};
	return {
		url,
		protocol: revision >= '2026' ? 'stateless' : 'auto',
		supports_parallel_tool_calls: true,
		timeout: 20,
		connect_timeout: 10,
		...(scenario.startsWith('auth/') && {auth: 'oauth', oauth: {...document, ...client}}),
	};
}
