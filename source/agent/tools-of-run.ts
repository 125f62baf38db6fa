import {type AgentOptions, type AgentTools} from './agent-options.ts';
import {type AgentTool} from './agent-tool.ts';
import {createAskAboutImage} from './built-ins/ask-about-image.ts';
import {builtIns} from './built-ins/built-ins.ts';
import {type Models} from './models/models.ts';
import {type RunTask} from './run-task.ts';
import {selectRunTools} from './select-run-tools.ts';
import {serverTool} from './server-tools.ts';

/** What a run is answered with: the runtime of its profile, and the tools, which are there by now. */
export type AnswerContext = Omit<AgentOptions, 'tools'> & {readonly models: Models; readonly tools: AgentTools};

/** The tools of a run. A toolset that is dropped is told in the log. */
export function toolsOfRun(task: RunTask, context: AnswerContext): readonly AgentTool[] {
	const {config, folders, models, tools, publish, maxRetries} = context;
	const {builtIns: names, registered, problems} = selectRunTools(task, {config: config(), tools});
	for (const problem of problems) {
		publish({type: 'log', level: problem.level, area: 'agent', text: `run ${task.id}: ${problem.message}`});
	}

	const {id: runId, route, deliveryId, job, signature} = task;
	const known = {...(job !== undefined && {job}), ...(signature !== undefined && {signature})};
	const origin = {kind: 'run', runId, route, deliveryId, ...known} as const;
	const untrusted = (task.foreign ?? []).map(([from, to]) => task.prompt.slice(from, to)).join('\n');
	const callOptions = {callTool: tools.callTool, origin, untrusted, mediaFolder: folders.media};
	const askAboutImage = createAskAboutImage({models, maxRetries});
	return [
		...builtIns(names, {...context, origin, askAboutImage}),
		...registered.map(tool => serverTool(tool, callOptions)),
	];
}
