import {sectionWithoutFile} from '../config/section.ts';
import {parseServerEntry} from '../config/server-entry.ts';
import {createExpand} from '../config/secret-scope.ts';
import {type Foundation} from '../gateway/foundation.ts';
import {type ProbeReport, probeServer} from '../gateway/probe-server.ts';
import {type ProposedServer} from './workbench.ts';

/** Connects a server that may not be configured yet, with variables that are not written yet. Rejects with the problem of an entry that cannot be used. */
export async function probeEntry(
	foundation: Foundation,
	{name, entry, variables = {}}: ProposedServer,
	signal: AbortSignal,
): Promise<ProbeReport> {
	const parsed = parseServerEntry(name, entry, sectionWithoutFile(name));
	if (parsed.kind === 'broken') {
		throw parsed.problem;
	}

	Object.values(variables).forEach(foundation.redactor.learn);
	const {secrets} = foundation.current();
	const own = (variable: string) => (Object.hasOwn(variables, variable) ? variables[variable] : undefined);
	const expand = createExpand(
		{...secrets, variables: variable => own(variable) ?? secrets.variables(variable)},
		foundation.environment,
	);
	return probeServer(foundation, {server: parsed.server, expand, signal});
}
