import {type Agent, createAgent} from '../agent/agent.ts';
import {type AgentTools} from '../agent/agent-options.ts';
import {type ProfileOf, type RunProfile} from '../runs/run-profile.ts';
import {safeText} from '../util/safe-text.ts';
import {openDeadline, type Timer} from '../util/clock.ts';
import {errorText, Problem} from '../util/problem.ts';
import {type Foundation} from './foundation.ts';
import {type ToolWing} from './tool-wing.ts';

/** The agents of all profiles. */
export type AgentWing = {
	/** What the runs of a profile stand on. */
	readonly profileOf: ProfileOf;
	/** The model of a profile for servers that ask it; undefined while none is known. */
	readonly completeOf: (profile: string) => () => Agent['complete'] | undefined;
	/** The tools are there now: runs that were taken up before go on. */
	readonly giveTools: (toolsOf: (profile: string) => ToolWing) => void;
	/** Chooses models anew, and tells soon of them and of routes that name what is not there: nobody waits for it. */
	readonly apply: () => void;
	readonly stop: () => void;
};

/** The first runs after a start wait so long for the tool servers. */
const settlingMilliseconds = 10_000;

/** The start is over by then, and a window that has just opened tells which model there is. */
const afterStartMilliseconds = 1000;

/** Builds the agents; nothing of them is loaded before a run needs it. */
export function openAgentWing(foundations: readonly [Foundation, ...Foundation[]]): AgentWing {
	const [first] = foundations;
	const given = Promise.withResolvers<(profile: string) => ToolWing>();
	const agents = new Map(
		foundations.map(foundation => {
			let tools: Promise<AgentTools> | undefined;
			const {profile} = foundation.paths;
			const openTools = async () => agentTools(foundation, (await given.promise)(profile));
			return [profile, openAgent(foundation, () => (tools ??= openTools()))];
		}),
	);
	const lookAround = () => {
		agents.forEach(agent => void agent.model());
		for (const foundation of foundations) {
			tellFlaws(foundation, first).catch((caught: unknown) => {
				const text = safeText(`routes: ${errorText(caught)}`);
				foundation.publish({type: 'log', level: 'error', area: 'agent', text});
			});
		}
	};

	let looking: Timer | undefined;
	return {
		completeOf: profile => () => {
			const agent = agents.get(profile);
			return agent?.hasModel() ? agent.complete : undefined;
		},
		profileOf: profile => ({
			publish: first.hall.publishFor(profile),
			agent: agents.get(profile) ?? absentAgent,
		}),
		giveTools: given.resolve,
		apply() {
			agents.forEach(agent => agent.forgetModel());
			looking?.cancel();
			looking = first.clock.after(afterStartMilliseconds, lookAround);
		},
		stop: () => looking?.cancel(),
	};
}

function openAgent(foundation: Foundation, tools: () => Promise<AgentTools>): Agent {
	const {clock, publish, paths, current, expand} = foundation;
	return createAgent({
		clock,
		publish,
		config: () => current().config,
		scope: {variables: name => current().secrets.variables(name), expand},
		folders: {skills: paths.skills, media: paths.media},
		tools,
	});
}

/** Routes stand in the configuration of the first profile and name the one that serves them. Rejects when the check cannot be loaded. */
async function tellFlaws({paths, current, publish}: Foundation, first: Foundation): Promise<void> {
	const {checkAgentRoutes} = await import('../agent/check-routes.ts');
	const {config} = current();
	const isOwn = (profile = first.paths.profile) => profile === paths.profile;
	const routes = first.current().config.webhook.routes.filter(route => isOwn(route.profile));
	const servers = [...config.servers, ...config.brokenServers].map(server => server.name);
	for (const {route, problem} of await checkAgentRoutes(routes, {skillsFolder: paths.skills, servers})) {
		publish({type: 'log', level: 'warning', area: 'agent', text: `route ${safeText(route)}: ${problem.message}`});
	}
}

/** A server that connects slowly does not keep a run from beginning. */
async function agentTools({clock}: Foundation, wing: ToolWing): Promise<AgentTools> {
	const {catalogue, connections, callTool, questions, desk} = wing;
	const deadline = openDeadline(clock, settlingMilliseconds, {reason: () => new Problem('connect_timeout')});
	await connections.settled(deadline.signal);
	deadline.cancel();
	return {list: catalogue.list, callTool, askPerson: questions.ask, isAttended: desk.hasConsole};
}

/** A run of a profile that is served no more waits for a person. */
const absentAgent: RunProfile['agent'] = {
	model: async () => ({kind: 'none', why: 'the profile is not served'}),
	answer: async () => {
		throw new Problem('unknown_profile');
	},
	allowedTools: async () => [],
};
