import {type AgentOptions} from './agent-options.ts';
import {type Completion, type CompletionRequest} from './models/completion.ts';
import {type Origin} from '../state/origin.ts';
import {createListModels} from './models/local-models.ts';
import {type ModelChoice, modelStateEvent} from './models/model-choice.ts';
import {createModels} from './models/models.ts';
import {type AnswerOptions, type RunReply, type RunTask} from './run-task.ts';
import {reserveAlone} from './spending.ts';
import {selectRunTools} from './toolsets.ts';

/** Answers the runs of one profile. Its large dependencies are loaded with the first answer. */
export type Agent = {
	/** The model of runs; published as `model.state`. Rejects only with `too_many_open_files`. */
	readonly model: () => Promise<ModelChoice>;
	/** Loads the code for an answer. Rejects when that is not possible now. */
	readonly ready: () => Promise<void>;
	/** Rejects with the Problem that prevents an answer, or with the reason of the signal. */
	readonly answer: (task: RunTask, options: AnswerOptions) => Promise<RunReply>;
	/** The names of the tools that a run may call now. */
	readonly allowedTools: (task: Pick<RunTask, 'route' | 'job' | 'toolsets'>) => Promise<readonly string[]>;
	/** One request to the model without tools, for servers that may ask (docs/tool-servers.md, Elicitation). Rejects as `answer` does. */
	readonly complete: (
		request: CompletionRequest,
		options: {readonly signal: AbortSignal; readonly origin: Origin},
	) => Promise<Completion>;
	/** True if a model is known by now. A server of this machine is known only after a request to it. */
	readonly hasModel: () => boolean;
	/** The configuration has changed: clears the choice of the model. */
	readonly forgetModel: () => void;
};

/** Creates the agent of one profile. Nothing is loaded, requested or read before it is needed. */
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
		async ready() {
			const [{loadModel}] = await Promise.all([import('./models/language-model.ts'), import('./answer-run.ts')]);
			await loadModel(await models.ofRuns());
		},
		async answer(task, answerOptions) {
			const tools = await options.tools();
			const {answerRun} = await import('./answer-run.ts');
			try {
				return await answerRun(task, answerOptions, {...options, models, tools});
			} finally {
				tools.endRun(task.id);
			}
		},
		async allowedTools(task) {
			const {builtIns, registered} = selectRunTools(task, {config: config(), tools: await options.tools()});
			return [...builtIns, ...registered.map(tool => tool.name)];
		},
		async complete(request, {signal, origin}) {
			const {complete} = await import('./models/complete.ts');
			return complete(request, {
				choice: await models.ofRuns(),
				signal,
				maxRetries: options.maxRetries,
				timeoutSeconds: config().agent.modelTimeoutSeconds,
				reserve: options.spending && reserveAlone(options.spending, origin),
			});
		},
		hasModel: models.isKnown,
		forgetModel: models.forget,
	};
}
