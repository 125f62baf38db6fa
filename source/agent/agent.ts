import {type AgentOptions} from './agent-options.ts';
import {type Completion, type CompletionRequest} from './completion.ts';
import {createListModels} from './local-models.ts';
import {type ModelChoice} from './model-choice.ts';
import {modelStateEvent} from './model-state-event.ts';
import {createModels} from './models.ts';
import {type AnswerOptions, type RunAnswer, type RunTask} from './run-task.ts';
import {selectRunTools} from './select-run-tools.ts';

export {type AgentOptions};

/** What stands behind the runs of one profile. Its heavy parts are loaded with the first answer. */
export type Agent = {
	/** Which model runs get; told as `model.state`. Never rejects. */
	readonly model: () => Promise<ModelChoice>;
	/** Rejects with the Problem for which there is no answer, or with the reason of the signal. */
	readonly answer: (task: RunTask, options: AnswerOptions) => Promise<RunAnswer>;
	/** The names of the tools that a run may call now. */
	readonly allowedTools: (task: Pick<RunTask, 'route' | 'job' | 'toolsets'>) => Promise<readonly string[]>;
	/** One question to the model without tools, for servers that may ask (spec/decisions.md, D6). Rejects as `answer` does. */
	readonly complete: (request: CompletionRequest, options: {readonly signal: AbortSignal}) => Promise<Completion>;
	/** Whether a model is known by now. A server of this machine is only known once it was asked. */
	readonly hasModel: () => boolean;
	/** The configuration has changed: the model is chosen anew. */
	readonly forgetModel: () => void;
};

/** Builds the agent of one profile. Nothing is loaded, asked or read before it is needed. */
export function createAgent(options: AgentOptions): Agent {
	const {clock, publish, config, scope, servers} = options;
	const models = createModels({
		clock,
		config,
		scope,
		servers,
		listModels: createListModels(clock),
		chosen: choice => publish(modelStateEvent(choice)),
	});
	return {
		model: models.ofRuns,
		async answer(task, answerOptions) {
			const tools = await options.tools();
			const {answerRun} = await import('./answer-run.ts');
			return answerRun(task, answerOptions, {...options, models, tools});
		},
		async allowedTools(task) {
			const {builtIns, registered} = selectRunTools(task, {config: config(), tools: await options.tools()});
			return [...builtIns, ...registered.map(tool => tool.name)];
		},
		async complete(request, {signal}) {
			const {complete} = await import('./complete.ts');
			return complete(request, {choice: await models.ofRuns(), signal, maxRetries: options.maxRetries});
		},
		hasModel: models.isKnown,
		forgetModel: models.forget,
	};
}
