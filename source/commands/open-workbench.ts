import {variableScope} from '../config/secret-scope.ts';
import {sectionWithoutFile} from '../config/section.ts';
import {parseServerEntry} from '../config/server-entry.ts';
import {expandVariables} from '../config/variables.ts';
import {openTalkingGround} from './ground.ts';
import {type Session} from './session.ts';
import {type Workbench} from './workbench.ts';

/** Reads the profile of this start. Rejects with the first problem of a configuration that cannot be used. */
export async function openWorkbench(session: Session): Promise<Workbench> {
	const {layFoundation, refuseUnusable} = await import('../gateway/foundation.ts');
	const foundation = await layFoundation(openTalkingGround(session));
	refuseUnusable(foundation);
	const {config, secrets} = foundation.current();
	return {
		paths: foundation.paths,
		config,
		variable: secrets.variables,
		expand: foundation.expand,
		async probe({name, entry, variables = {}}, signal) {
			const {probeServer} = await import('../gateway/probe-server.ts');
			const parsed = parseServerEntry(name, entry, sectionWithoutFile(name));
			if (parsed.kind === 'broken') {
				throw parsed.problem;
			}

			Object.values(variables).forEach(foundation.redactor.learn);
			const own = (variable: string) => (Object.hasOwn(variables, variable) ? variables[variable] : undefined);
			const scope = variableScope(
				{...secrets, variables: variable => own(variable) ?? secrets.variables(variable)},
				foundation.environment,
			);
			return probeServer(foundation, {
				server: parsed.server,
				expand: text => expandVariables(text, scope),
				signal,
			});
		},
	};
}
