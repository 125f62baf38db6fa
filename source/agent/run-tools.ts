import {type ToolSet} from 'ai';
import {type AgentTool} from './agent-tool.ts';
import {mostResultCharacters} from './models/fit-context.ts';
import {modelProviders, type ProviderName} from './models/model-providers.ts';
import {createRepeatGuard, type RepeatGuard} from './repeat-guard.ts';
import {type RunProgress} from './run-progress.ts';
import {sdkTools} from './sdk-tools.ts';
import {createUseTool} from './use-tool.ts';
import {createWaitingCalls} from './waiting-calls.ts';

/** The tools of one run as its loop takes them. */
export type OpenedTools = {readonly tools: ToolSet; readonly guard: RepeatGuard};

/** Makes tools ready for one run with a model of this provider. */
export function createRunTools(
	all: readonly AgentTool[],
	{provider, report}: {readonly provider: ProviderName; readonly report: (progress: RunProgress) => void},
): OpenedTools {
	const {contextTokens, resultImages} = modelProviders[provider];
	const guard = createRepeatGuard();
	const waiting = createWaitingCalls(now => report({kind: 'waiting', waiting: now}));
	const options = {
		guard,
		mostCharacters: mostResultCharacters(contextTokens),
		onStep: (step: Extract<RunProgress, {kind: 'step'}>['step']) => report({kind: 'step', step}),
		onWaiting: waiting.set,
	};
	return {
		guard,
		tools: sdkTools(
			all.map(tool => ({tool, use: createUseTool(tool, options)})),
			{resultImages},
		),
	};
}
