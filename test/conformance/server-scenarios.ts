import {type Revision} from './suite.ts';

/** The server scenarios that what the endpoint offers covers: tools, over Streamable HTTP, in both eras. */
const both = [
	'tools-list',
	'tools-call-simple-text',
	'tools-call-image',
	'tools-call-audio',
	'tools-call-embedded-resource',
	'tools-call-mixed-content',
	'tools-call-error',
	'tools-call-with-progress',
	'server-sse-multiple-streams',
	'dns-rebinding-protection',
];

export const serverScenarios: Readonly<Record<Revision, readonly string[]>> = {
	'2025-11-25': ['server-initialize', 'ping', ...both],
	'2026-07-28': ['server-stateless', 'caching', ...both],
};

/** Why a required server scenario is not run. */
export function reasonServerLeftOut(scenario: string): string {
	if (/^(resources|prompts|sep-2164)/u.test(scenario)) {
		return 'resources and prompts are reached through tools: the endpoint does not offer them by themselves';
	}

	if (/completion|logging/u.test(scenario)) {
		return 'the endpoint declares neither completion nor logging';
	}

	return 'what servers ask is asked at the dashboard, never of the client of the endpoint';
}

/** Checks within a scenario that look for something the endpoint does not offer. Nothing else may fail. */
const excused: Readonly<Record<string, RegExp>> = {
	// Diagnostic tools that make a server ask its client or log to it.
	'server-stateless':
		/^(ServerRejectsUndeclaredCapability|MissingCapabilityHttp400|HttpServerNoIndependentRequestsOnStream|ServerNoLogWithoutLogLevel|.*ListChanged.*|.*ToolsListChanged.*)/u,
	// Only the list of tools is there to be cached.
	caching: /^(Prompts|Resource)/u,
};

/** True for a failed check that a capability we do not offer explains. */
export function isExcused(scenario: string, check: string): boolean {
	return excused[scenario]?.test(check) ?? false;
}
