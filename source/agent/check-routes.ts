import {type RouteConfig} from '../config/webhooks/route-entry.ts';
import {type Problem} from '../util/problem.ts';
import {loadSkills} from './skills.ts';
import {selectTools} from './toolsets.ts';

/** A problem of a route, for the log: its runs continue without the skill or the toolset. */
export type RouteFlaw = {readonly route: string; readonly problem: Problem};

/** The routes with a skill or a toolset that their runs could not use (docs/agents.md, Runs). Never rejects. */
export async function checkAgentRoutes(
	routes: ReadonlyArray<Pick<RouteConfig, 'name' | 'action' | 'cronJob' | 'skills' | 'toolsets'>>,
	options: {readonly skillsFolder: string; readonly servers: readonly string[]},
): Promise<readonly RouteFlaw[]> {
	const {skillsFolder, servers} = options;
	const ofAgents = routes.filter(route => route.action === 'agent' && route.cronJob === undefined);
	const flaws = await Promise.all(
		ofAgents.map(async ({name, skills, toolsets = []}) => {
			const selection = selectTools(toolsets, {servers, attended: true});
			const reading = await loadSkills(skillsFolder, skills);
			return [...reading.problems, ...selection.problems].map(problem => ({route: name, problem}));
		}),
	);
	return flaws.flat();
}
