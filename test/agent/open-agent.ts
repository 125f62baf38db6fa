import {type AgentOptions, type AgentTools} from '../../source/agent/agent-options.ts';
import {createAgent} from '../../source/agent/agent.ts';
import {type AnswerOptions, type RunProgress, type RunTask} from '../../source/agent/run-task.ts';
import {type CallOptions} from '../../source/tools/validate-call.ts';
import {type ToolCall, type ToolOutcome} from '../../source/tools/call-tool.ts';
import {nativeTool} from '../../source/tools/registered-tool.ts';
import {systemClock} from '../../source/util/clock.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {neverAborted} from '../helpers/never-aborted.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openCallFixture} from '../tools/call-fixture.ts';
import {definition, serverConfig} from '../tools/server-offers.ts';
import {to} from '../helpers/destinations.ts';

/** A tool of a pretended server called `files`. */
export type FakeTool = {
	readonly inputSchema?: JsonObject;
	readonly call: (input: JsonObject, options: CallOptions) => Promise<ToolOutcome> | ToolOutcome;
};

/** A run of the route `github`, unless told otherwise. */
export function sampleTask(changes: Partial<RunTask> = {}): RunTask {
	return {
		id: 'run-1',
		route: 'github',
		event: 'push',
		deliveryId: 'delivery-1',
		prompt: 'Look at main',
		deliver: to('log'),
		skills: [],
		toolsets: ['files'],
		...changes,
	};
}

/** An agent with these tools behind the approval check, and a directory of its own. */
export function openAgent(options: {
	readonly model?: ReturnType<AgentOptions['config']>['model'];
	readonly tools?: Readonly<Record<string, FakeTool>>;
	readonly config?: Partial<ReturnType<AgentOptions['config']>>;
	readonly variables?: Readonly<Record<string, string>>;
	readonly askPerson?: AgentTools['askPerson'];
	readonly askLimit?: AgentTools['askLimit'];
	readonly spending?: AgentOptions['spending'];
	readonly servers?: AgentOptions['servers'];
	readonly maxRetries?: number;
}) {
	const {model = {provider: 'none'}, tools = {}, variables = {}, servers = [], maxRetries = 0} = options;
	const recorded = recordEvents();
	const root = temporaryDirectory();
	const config = serverConfig();
	const calls: ToolCall[] = [];
	const registered = Object.entries(tools).map(([name, {inputSchema = {type: 'object'}}]) =>
		nativeTool(config, definition(name, {inputSchema})),
	);
	const access: AgentTools = {
		list: () => registered,
		async callTool(call, callOptions) {
			calls.push(call);
			const tool = registered.find(one => one.name === call.name);
			const fake = tool && tools[tool.tool];
			return fake
				? fake.call(call.arguments as JsonObject, callOptions)
				: {kind: 'error', error: {code: 'unknown_tool', message: 'no such tool'}};
		},
		askPerson: options.askPerson ?? (async () => ({kind: 'no_channel', message: 'nobody'})),
		askLimit: options.askLimit ?? (async () => ({kind: 'no_channel'})),
		endRun: () => undefined,
		callBuiltIn: openCallFixture({publish: recorded.publish}).callBuiltIn,
		isAttended: () => options.askPerson !== undefined,
	};
	const agent = createAgent({
		clock: systemClock,
		publish: recorded.publish,
		config: () => ({
			model,
			search: {},
			agent: {maxSteps: 10, modelTimeoutSeconds: 300, maxConcurrentRuns: 4, maxQueuedRuns: 10, maxWaitingRuns: 100},
			toolsets: {webhook: ['web_search', 'clarify']},
			approvals: {
				timeoutSeconds: 300,
				unattended: 'deny',
				commandLine: 'allow',
				remote: {delaySeconds: 20, timeoutSeconds: 900, channels: []},
			},
			servers: [config],
			...options.config,
		}),
		scope: {variables: name => variables[name], expand: text => text},
		folders: {skills: `${root}/skills`, media: `${root}/media`},
		tools: async () => access,
		servers,
		maxRetries,
		spending: options.spending,
	});
	const progress: RunProgress[] = [];
	return {
		agent,
		root,
		calls,
		progress,
		...recorded,
		/** Answers a task, or rejects; what is told meanwhile is in `progress`. */
		answer: async (task: Partial<RunTask> = {}, more: Partial<Omit<AnswerOptions, 'report'>> = {}) =>
			agent.answer(sampleTask(task), {
				signal: neverAborted(),
				...more,
				report: one => progress.push(one),
			}),
	};
}

/** A tool that answers this text. */
export function answering(text: string): FakeTool {
	return {call: () => ({kind: 'result', result: text})};
}
