import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {boolLike} from '../values/bool-like.ts';
import {field} from '../values/field-rule.ts';
import {numberLike} from '../values/number-like.ts';
import {text, textList} from '../values/text-like.ts';

/** Defaults of what a server may ask for (docs/tool-servers.md, Elicitation). */
export const askDefaults = {
	elicitationSeconds: 300,
	maxTokensCap: 4096,
	samplingSeconds: 30,
	requestsPerMinute: 10,
	toolRounds: 5,
} as const;

const samplingSchema = lazy(() =>
	z.strictObject({
		enabled: boolLike('The server may ask the configured model.', true),
		model: text('Which model answers.'),
		max_tokens_cap: numberLike('Most tokens of one answer.', {
			fallback: askDefaults.maxTokensCap,
			minimum: 1,
			whole: true,
		}),
		timeout: numberLike('How long one answer may take, in seconds.', {
			fallback: askDefaults.samplingSeconds,
			minimum: 0.001,
			unit: 'seconds',
		}),
		max_rpm: numberLike('Requests per minute; 0: none.', {
			fallback: askDefaults.requestsPerMinute,
			minimum: 0,
			whole: true,
		}),
		max_tool_rounds: numberLike('Most rounds of tool results in one conversation.', {
			fallback: askDefaults.toolRounds,
			minimum: 0,
			whole: true,
		}),
		allowed_models: textList(
			"Models a server's hints may choose from, and no other then answers; empty: the configured model.",
		),
	}),
);

const elicitationSchema = lazy(() =>
	z.strictObject({
		enabled: boolLike('The server may ask a person.', true),
		timeout: numberLike('How long the person has, in seconds.', {
			fallback: askDefaults.elicitationSeconds,
			minimum: 0.001,
			unit: 'seconds',
		}),
	}),
);

/** Keys of a server entry about what the server may ask of us. */
export const serverAsksShape = lazy(() => ({
	sampling: field(samplingSchema(), {
		description: 'Whether and how the server may ask the configured model.',
		allowed: `a mapping with ${Object.keys(samplingSchema().shape).join(', ')}`,
	}).optional(),
	elicitation: field(elicitationSchema(), {
		description: 'Whether the server may ask a person.',
		allowed: `a mapping with ${Object.keys(elicitationSchema().shape).join(', ')}`,
	}).optional(),
}));
