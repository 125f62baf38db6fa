import {type Revision} from './suite.ts';

/** The server scenarios that what the endpoint offers covers: tools, resources, prompts and completion, over Streamable HTTP, in both eras. */
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
	'completion-complete',
	'resources-list',
	'resources-read-text',
	'resources-read-binary',
	'resources-templates-read',
	'prompts-list',
	'prompts-get-simple',
	'prompts-get-with-args',
	'prompts-get-embedded-resource',
	'prompts-get-with-image',
	'dns-rebinding-protection',
];

export const serverScenarios: Readonly<Record<Revision, readonly string[]>> = {
	'2025-11-25': ['server-initialize', 'ping', 'resources-subscribe', 'resources-unsubscribe', ...both],
	'2026-07-28': [
		'server-stateless',
		'caching',
		'sep-2164-resource-not-found',
		'input-required-result-unsupported-methods',
		...both,
	],
};

/** Why a required server scenario is not run. */
export function reasonServerLeftOut(scenario: string): string {
	if (scenario.includes('logging')) {
		return 'the endpoint does not declare logging, which MCP 2026-07-28 deprecates';
	}

	return 'what servers ask is asked at the dashboard, never of the client of the endpoint';
}

/** Checks within a scenario that look for something the endpoint does not offer. Nothing else may fail. */
const excused: Readonly<Record<string, RegExp>> = {
	// Diagnostic tools that make a server ask its client or log to it.
	'server-stateless':
		/^(ServerRejectsUndeclaredCapability|MissingCapabilityHttp400|HttpServerNoIndependentRequestsOnStream|ServerNoLogWithoutLogLevel)/u,
};

/** True for a failed check that a capability we do not offer explains. */
export function isExcused(scenario: string, check: string): boolean {
	return excused[scenario]?.test(check) ?? false;
}
