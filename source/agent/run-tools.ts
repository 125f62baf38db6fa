import {createHash} from 'node:crypto';
import {dynamicTool, jsonSchema, type ToolSet} from 'ai';
import {type Origin} from '../state/origin.ts';
import {type RunStep} from '../state/work-event.ts';
import {createUntrustedTexts, type UntrustedTexts} from '../tools/untrusted-texts.ts';
import {cutText, type JsonValue} from '../util/json-text.ts';
import {type AgentOptions, type AgentTools} from './agent-options.ts';
import {type AgentTool, type AgentToolResult} from './agent-tool.ts';
import {createAskAboutImage} from './built-ins/vision-analyze.ts';
import {builtIns} from './built-ins/built-ins.ts';
import {modelResultCharacterLimit} from './conversation.ts';
import {type CallFlaws} from './models/call-flaws.ts';
import {modelProviders, type ProviderName} from './models/model-providers.ts';
import {type Models} from './models/models.ts';
import {untrustedPromptTexts} from './prompt.ts';
import {type RunLimits} from './run-limits.ts';
import {type RunProgress, type RunTask} from './run-task.ts';
import {type RunWaits} from './run-waits.ts';
import {serverTool} from './server-tools.ts';
import {type BuiltInName, selectRunTools} from './toolsets.ts';
import {createRepeatGuard, createUseTool, type RepeatGuard, type UseTool} from './use-tool.ts';

/** Dependencies for answering a run: the options of its agent, with its models and tools. */
export type RunContext = Omit<AgentOptions, 'tools'> & {readonly models: Models; readonly tools: AgentTools};

/** Creates the tools of one run for a model of this provider. A dropped toolset becomes a line in the log. */
export function createRunTools(
	task: RunTask,
	context: RunContext,
	{
		provider,
		report,
		outsiders,
		waits,
		limits,
		flawOf,
	}: {
		readonly provider: ProviderName;
		readonly report: (progress: RunProgress) => void;
		/** Texts besides the prompt that outsiders may have written: the conversation that goes on, the payload. */
		readonly outsiders: ReadonlyArray<string | undefined>;
		readonly waits: RunWaits;
		readonly limits: Pick<RunLimits, 'reserve' | 'countCall'>;
		readonly flawOf: CallFlaws['flawOf'];
	},
): {readonly tools: ToolSet; readonly guard: RepeatGuard} {
	const {contextTokens, resultImages} = modelProviders[provider];
	const guard = createRepeatGuard();
	const options = {
		guard,
		maxCharacters: modelResultCharacterLimit(contextTokens),
		onStep: (step: RunStep) => report({kind: 'step', step}),
		waits,
		limits,
	};
	const untrustedTexts = createUntrustedTexts();
	outsiders.forEach(text => untrustedTexts.add(text ?? ''));

	const tools = toolsOfRun(task, context, {untrustedTexts, limits}).map(tool => {
		const use = createUseTool(tool, {...options, onAnswer: answer => addResult(untrustedTexts, tool.name, answer)});
		return [modelToolName(tool.name), sdkTool(tool, use, {resultImages, flawOf})] as const;
	});
	return {guard, tools: Object.fromEntries(tools)};
}

/** The text of an answer for the model. The answer of a person is not an outsider's. */
function addResult(texts: UntrustedTexts, tool: string, {text, images = []}: AgentToolResult): void {
	if (tool !== personTool) {
		texts.add(text);
	}

	if (images.length > 0) {
		texts.addUnreadable();
	}
}

const personTool: BuiltInName = 'clarify';

/** The run as the origin of its calls. */
export function originOfRun({id: runId, route, deliveryId, job, signature}: RunTask): Origin {
	const known = {...(job !== undefined && {job}), ...(signature !== undefined && {signature})};
	return {kind: 'run', runId, route, deliveryId, ...known};
}

function toolsOfRun(
	task: RunTask,
	context: RunContext,
	{untrustedTexts, limits}: {readonly untrustedTexts: UntrustedTexts; readonly limits: Pick<RunLimits, 'reserve'>},
): readonly AgentTool[] {
	const {config, folders, models, tools, publish, maxRetries} = context;
	const {builtIns: names, registered, problems} = selectRunTools(task, {config: config(), tools});
	for (const problem of problems) {
		publish({type: 'log', level: problem.level, area: 'agent', text: `run ${task.id}: ${problem.message}`});
	}

	const origin = originOfRun(task);
	const untrusted = untrustedPromptTexts(task).join('\n');
	untrustedTexts.add(untrusted);
	const callOptions = {callTool: tools.callTool, origin, untrusted, untrustedTexts, mediaFolder: folders.media};
	const askAboutImage = createAskAboutImage({
		models,
		maxRetries,
		timeoutSeconds: config().agent.modelTimeoutSeconds,
		reserve: limits.reserve,
	});
	return [
		...builtIns(names, {...context, origin, untrustedTexts, askAboutImage}),
		...registered.map(tool => serverTool(tool, callOptions)),
	];
}

const maxDescriptionCharacters = 4000;

/** A tool in the form of the AI SDK. `resultImages`: images in results reach the model as images. */
function sdkTool(
	tool: AgentTool,
	use: UseTool,
	{resultImages, flawOf}: {readonly resultImages: boolean; readonly flawOf: CallFlaws['flawOf']},
): ToolSet[string] {
	// Models do not use schema identifiers, and some reject them.
	const {$schema: _, $id: __, ...inputSchema} = tool.inputSchema;
	return dynamicTool({
		description: cutText(tool.description, maxDescriptionCharacters),
		inputSchema: jsonSchema({properties: {}, ...inputSchema, type: 'object'}),
		execute: (input, {toolCallId, abortSignal = new AbortController().signal}): Promise<AgentToolResult> =>
			// The input was parsed from JSON.
			use({id: toolCallId, input: input as JsonValue, flaw: flawOf(toolCallId), signal: abortSignal}),
		toModelOutput: ({output}) => modelOutput(output as AgentToolResult, resultImages),
	});
}

type ModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]['toModelOutput']>>>;

/** Plain text where possible: several providers send anything else as JSON. */
function modelOutput({outcome, text, images = []}: AgentToolResult, resultImages: boolean): ModelOutput {
	if (outcome !== 'ok') {
		return {type: 'error-text', value: text};
	}

	if (images.length === 0 || !resultImages) {
		return {type: 'text', value: text};
	}

	return {
		type: 'content',
		value: [
			{type: 'text', text},
			...images.map(({bytes, mediaType}) => ({
				type: 'file' as const,
				mediaType,
				data: {type: 'data' as const, data: Buffer.from(bytes).toString('base64')},
			})),
		],
	};
}

/** Several providers reject longer names. */
const longestNameCharacters = 64;
const hashCharacters = 8;

/** The name of a tool for a model: the registered one, or its beginning with a hash when it is too long (docs/connections.md, Results). Pure. */
export function modelToolName(registeredName: string): string {
	if (registeredName.length <= longestNameCharacters) {
		return registeredName;
	}

	const hash = createHash('sha256').update(registeredName).digest('hex').slice(0, hashCharacters);
	return `${registeredName.slice(0, longestNameCharacters - hashCharacters - 1)}_${hash}`;
}
