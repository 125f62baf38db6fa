import {failure, toolErrorJson} from '../../tools/tool-outcome.ts';
import {maskTokens} from '../../util/redact.ts';
import {type Problem, problemLine} from '../../util/problem.ts';
import {jsonDocument} from './listing.ts';

/** The document of a command that could not be done (docs/connections.md, Results). */
export function errorDocument(problem: Problem): string {
	const {scope} = problem;
	const {error} = failure(problem, scope?.kind === 'server' ? scope.name : undefined);
	return jsonDocument({error: toolErrorJson({...error, message: maskTokens(problemLine(problem))})});
}
