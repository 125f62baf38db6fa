/** The entry of the suite's server in config.yaml, as somebody who is told the revision would write it. */
export function serverEntry(url: string, environment: Readonly<Record<string, string | undefined>>): object {
	const revision = environment['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '';
	return {
		url,
		protocol: revision >= '2026' ? 'stateless' : 'auto',
		supports_parallel_tool_calls: true,
		timeout: 20,
		connect_timeout: 10,
	};
}
