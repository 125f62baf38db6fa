import {sectionWithoutFile} from '../../config/values/section.ts';
import {parseServerEntry} from '../../config/servers/server-entry.ts';
import {createExpand} from '../../config/secrets/variables.ts';
import {type ProfileContext} from '../../gateway/profiles/profile-context.ts';
import {type ProbeReport, probeServer} from '../../gateway/probe-server.ts';
import {type ProposedServer} from './config-session.ts';

/** Connects a server that may not be configured yet, with variables that are not written yet. Rejects with the problem of an entry that cannot be used. */
export async function probeEntry(
	context: ProfileContext,
	{name, entry, variables = {}}: ProposedServer,
	signal: AbortSignal,
): Promise<ProbeReport> {
	const parsed = parseServerEntry(name, entry, sectionWithoutFile(name));
	if (parsed.kind === 'broken') {
		throw parsed.problem;
	}

	Object.values(variables).forEach(context.redactor.learn);
	const {secrets} = context.current();
	const own = (variable: string) => (Object.hasOwn(variables, variable) ? variables[variable] : undefined);
	const expand = createExpand(
		{...secrets, variables: variable => own(variable) ?? secrets.variables(variable)},
		context.environment,
	);
	return probeServer(context, {server: parsed.server, expand, signal});
}
