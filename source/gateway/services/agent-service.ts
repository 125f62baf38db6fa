import {type Agent, createAgent} from '../../agent/agent.ts';
import {type AgentTools} from '../../agent/agent-options.ts';
import {type Spending} from '../../agent/spending.ts';
import {type ProfileOf, type RunProfile} from '../../runs/run-profile.ts';
import {safeText} from '../../util/safe-text.ts';
import {openDeadline, type Timer} from '../../util/clock.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type ToolService} from './tool-service.ts';

/** The agents of all profiles. */
export type AgentService = {
	/** Finds the agent parts of a profile: its model, tools and configuration. */
	readonly profileOf: ProfileOf;
	/** The model of a profile for servers that ask it; undefined while none is known. */
	readonly completeOf: (profile: string) => () => Agent['complete'] | undefined;
	/** The profiles that have a model. */
	readonly withModel: () => readonly string[];
	/** The tools are there now: runs that were taken up before go on. */
	readonly giveTools: (toolsOf: (profile: string) => ToolService) => void;
	/** Chooses models again, and soon publishes them and the routes that name what is not there: nobody waits for it. */
	readonly apply: () => void;
	readonly stop: () => void;
};

/** The first runs after a start wait so long for the tool servers. */
const settlingMilliseconds = 10_000;

/** By then the start is over, and a dashboard that has just opened shows which model there is. */
const afterStartMilliseconds = 1000;

/** Builds the agents; nothing of them is loaded before a run needs it. Without `spending` there are no limits. */
export function openAgentService(
	contexts: readonly [ProfileContext, ...ProfileContext[]],
	spending?: Spending,
): AgentService {
	const [first] = contexts;
	const given = Promise.withResolvers<(profile: string) => ToolService>();
	const agents = new Map(
		contexts.map(context => {
			let tools: Promise<AgentTools> | undefined;
			const {profile} = context.paths;
			const openTools = async () => agentTools(context, (await given.promise)(profile));
			return [profile, openAgent(context, {spending, tools: () => (tools ??= openTools())})];
		}),
	);
	const probeModels = () => {
		for (const context of contexts) {
			const report = (what: string) => (caught: unknown) => {
				const text = safeText(`${what}: ${errorText(caught)}`);
				context.publish({type: 'log', level: 'error', area: 'agent', text});
			};
			agents.get(context.paths.profile)?.model().catch(report('model'));
			logFlaws(context, first).catch(report('routes'));
		}
	};

	let probing: Timer | undefined;
	return {
		completeOf: profile => () => {
			const agent = agents.get(profile);
			return agent?.hasModel() ? agent.complete : undefined;
		},
		profileOf: profile => ({
			publish: first.eventBus.publishFor(profile),
			agent: agents.get(profile) ?? absentAgent,
		}),
		withModel: () => [...agents].flatMap(([profile, agent]) => (agent.hasModel() ? [profile] : [])),
		giveTools: given.resolve,
		apply() {
			agents.forEach(agent => agent.forgetModel());
			probing?.cancel();
			probing = first.clock.after(afterStartMilliseconds, probeModels);
		},
		stop: () => probing?.cancel(),
	};
}

function openAgent(
	context: ProfileContext,
	{spending, tools}: {readonly spending: Spending | undefined; readonly tools: () => Promise<AgentTools>},
): Agent {
	const {clock, publish, paths, current, expand} = context;
	return createAgent({
		clock,
		publish,
		config: () => current().config,
		scope: {variables: name => current().secrets.variables(name), expand},
		folders: {skills: paths.skills, media: paths.media},
		tools,
		spending,
	});
}

/** Routes are in the configuration of the first profile and name the one that serves them. Rejects when the check cannot be loaded. */
async function logFlaws({paths, current, publish}: ProfileContext, first: ProfileContext): Promise<void> {
	const {checkAgentRoutes} = await import('../../agent/check-routes.ts');
	const {config} = current();
	const isOwn = (profile = first.paths.profile) => profile === paths.profile;
	const routes = first.current().config.webhook.routes.filter(route => isOwn(route.profile));
	const servers = [...config.servers, ...config.brokenServers].map(server => server.name);
	for (const {route, problem} of await checkAgentRoutes(routes, {skillsFolder: paths.skills, servers})) {
		publish({type: 'log', level: 'warning', area: 'agent', text: `route ${safeText(route)}: ${problem.message}`});
	}
}

/** A server that connects slowly does not keep a run from beginning. */
async function agentTools({clock}: ProfileContext, service: ToolService): Promise<AgentTools> {
	const {catalogue, connections, callTool, questions, approvals, askAboutLimit, rules, callBuiltIn} = service;
	const deadline = openDeadline(clock, settlingMilliseconds, {reason: () => new Problem('connect_timeout')});
	await connections.settled(deadline.signal);
	deadline.cancel();
	const {list} = catalogue;
	return {
		list,
		callTool,
		askPerson: questions.ask,
		endRun: rules.endRun,
		callBuiltIn,
		askLimit: askAboutLimit,
		isAttended: approvals.hasConsole,
	};
}

/** A run of a profile that is served no more waits for a person. */
const absentAgent: RunProfile['agent'] = {
	model: async () => ({kind: 'none', why: 'the profile is not served'}),
	ready: async () => undefined,
	answer: async () => {
		throw new Problem('unknown_profile');
	},
	allowedTools: async () => [],
};
