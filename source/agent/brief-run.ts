import {type Publish} from '../state/event.ts';
import {randomId} from '../util/random-id.ts';
import {buildInstructions, buildMessage} from './prompt.ts';
import {type RunTask} from './run-task.ts';
import {loadSkills} from './skills.ts';

/** What a model is told at the beginning of a run. */
export type RunBrief = {readonly instructions: string; readonly message: string};

/** Loads the skills of a run and words its instructions and its first message. A skill that cannot be loaded is told in the log, and the run goes on without it. */
export async function briefRun(
	task: RunTask,
	options: {readonly folder: string; readonly own: string | undefined; readonly publish: Publish},
): Promise<RunBrief> {
	const {folder, own, publish} = options;
	const {skills, problems} = await loadSkills(folder, task.skills);
	for (const problem of problems) {
		publish({type: 'log', level: 'warning', area: 'agent', text: problem.message});
	}

	// Made now, so that nobody outside can have known it.
	const nonce = randomId();
	return {instructions: buildInstructions(task, {own, skills, nonce}), message: buildMessage(task, nonce)};
}
