import {type Publish} from '../state/event.ts';
import {randomId} from '../util/random-id.ts';
import {buildInstructions, buildMessage} from './prompt.ts';
import {type RunTask} from './run-task.ts';
import {loadSkills} from './skills.ts';

/** What a model is told at the beginning of a run. */
export type RunBrief = {readonly instructions: string; readonly message: string};

/** Loads the skills of a run and words its instructions and its first message. A skill that cannot be loaded is told in the log, and the run goes on without it. Rejects only with `too_many_open_files`. */
export async function briefRun(
	task: RunTask,
	options: {
		readonly folder: string;
		readonly own: string | undefined;
		/** The conversation it goes on with. */
		readonly history: string | undefined;
		readonly publish: Publish;
	},
): Promise<RunBrief> {
	const {folder, own, history, publish} = options;
	const {skills, problems} = await loadSkills(folder, task.skills);
	for (const problem of problems) {
		publish({type: 'log', level: 'warning', area: 'agent', text: problem.message});
	}

	// The nonce is made now, so that nobody outside can have known it.
	return {instructions: buildInstructions(task, {own, skills, history}), message: buildMessage(task, randomId())};
}
