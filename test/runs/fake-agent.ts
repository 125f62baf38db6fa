import {type AnswerOptions} from '../../source/agent/run-task.ts';
import {type RunRecord} from '../../source/journal/journal.ts';
import {type RunAgent} from '../../source/runs/run-profile.ts';

/** The reply of a pretended model to a run. */
export type FakeAnswer = (run: RunRecord, options: AnswerOptions) => Promise<string>;

/** An agent that asks its model and answers so; without an answer there is no model. */
export function fakeAgent(answer?: FakeAnswer): RunAgent {
	return {
		async model() {
			return answer
				? {kind: 'model', provider: 'openai', name: 'fake', baseUrl: 'http://fake', source: 'config', why: 'a test'}
				: {kind: 'none', why: 'a test'};
		},
		ready: async () => undefined,
		async answer(task, options) {
			options.report({kind: 'asked'});
			// Runs are handed on as they are kept.
			const text = await answer?.(task as RunRecord, options);
			return {text: text ?? '', conversation: JSON.stringify([{role: 'assistant', content: text}])};
		},
		allowedTools: async () => ['web_search', 'mcp__files__read'],
	};
}
