import {type RouteConfig} from '../config/webhooks/route-entry.ts';
import {type Problem} from '../util/problem.ts';
import {loadSkills} from './skills.ts';
import {selectTools} from './toolsets.ts';

/** A skill or a toolset that runs could not use; they continue without it. `name` is that of the skill. */
type RunFlaw =
	| {readonly part: 'skill'; readonly name: string; readonly problem: Problem}
	| {readonly part: 'toolset'; readonly problem: Problem};

type Surroundings = {readonly skillsFolder: string; readonly servers: readonly string[]};

/** The skills and toolsets of a route or job that its runs could not use (docs/agents.md, Runs). Rejects only with `too_many_open_files`. */
export async function checkRunParts(
	{
		skills = [],
		toolsets = [],
	}: {readonly skills?: readonly string[]; readonly toolsets?: readonly string[] | undefined},
	{skillsFolder, servers}: Surroundings,
): Promise<readonly RunFlaw[]> {
	const unusable = [...new Set(skills)].map(async name => {
		const {problems} = await loadSkills(skillsFolder, [name]);
		return problems.map(problem => ({part: 'skill', name, problem}) as const);
	});
	const {problems} = selectTools(toolsets, {servers, attended: true});
	return [...(await Promise.all(unusable)).flat(), ...problems.map(problem => ({part: 'toolset', problem}) as const)];
}

/** True for a route whose events begin runs. */
export function beginsRuns({action, cronJob}: Pick<RouteConfig, 'action' | 'cronJob'>): boolean {
	return action === 'agent' && cronJob === undefined;
}

/** The problems of routes whose events begin runs. */
export async function checkAgentRoutes(
	routes: ReadonlyArray<Pick<RouteConfig, 'name' | 'action' | 'cronJob' | 'skills' | 'toolsets'>>,
	surroundings: Surroundings,
): Promise<ReadonlyArray<{readonly route: string; readonly problem: Problem}>> {
	const flaws = await Promise.all(
		routes.filter(beginsRuns).map(async route => {
			const found = await checkRunParts(route, surroundings);
			return found.map(({problem}) => ({route: route.name, problem}));
		}),
	);
	return flaws.flat();
}
