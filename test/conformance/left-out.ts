/** Scenarios that are not run, each with its reason. A scenario that is run is expected to pass: there is no list of expected failures. */
const leftOut: ReadonlyArray<{readonly scenario: RegExp; readonly reason: string}> = [
	{
		scenario: /^auth\/(client-credentials|enterprise|dpop|wif)/u,
		reason: 'an extension that no row of the contract names',
	},
];

/** Why a scenario is not run; undefined when it is. */
export function reasonLeftOut(scenario: string): string | undefined {
	return leftOut.find(entry => entry.scenario.test(scenario))?.reason;
}
