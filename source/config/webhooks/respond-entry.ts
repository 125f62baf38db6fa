import {z} from 'zod';
import {answerTypes, type AnswerType} from '../../util/templates/answer-body.ts';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';
import {type PresetAnswers} from './presets/preset.ts';
import {type PresetName, presets} from './presets/preset-table.ts';

/** The longest wait, in seconds. */
const longestWaitSeconds = 25;

/** The time of a wait that is left to write the answer before the provider gives up, in seconds. */
const spareSeconds = 0.5;

const respondDescription = lazy(() =>
	z.strictObject({
		wait: field(z.number().min(0).max(longestWaitSeconds), {
			description: `Longest wait for the result, in seconds, at most until 0.5 s before the provider gives up. Default: ${longestWaitSeconds}.`,
			allowed: `a number of seconds from 0 to ${longestWaitSeconds}`,
		}).optional(),
		body: z
			.string()
			.describe('Template of the answer; `{result}` is the result. Default: the result alone.')
			.optional(),
		content_type: field(z.enum(answerTypes), {
			description: 'Content type of the answer. Default: text/plain.',
			allowed: answerTypes.join(', '),
			words: answerTypes,
			noun: 'content type',
		}).optional(),
	}),
);

/** `respond` in config.yaml. */
type WrittenRespond = z.output<ReturnType<typeof respondDescription>>;

/** The schema of `respond`. */
export const respondSchema = lazy(() =>
	field(respondDescription(), {
		description: 'Answers the sender with the result of the run, or of the delivery.',
		allowed: `a mapping with ${Object.keys(respondDescription().shape).join(', ')}`,
	}).optional(),
);

/** The answer to the sender of an event (docs/answers.md). */
export type RespondConfig = {
	/** It ends before the provider gives up. */
	readonly waitSeconds: number;
	/** Absent: the result alone. */
	readonly body?: string;
	readonly contentType: AnswerType;
	/** The preset whose provider takes results; absent: that of no provider. */
	readonly preset?: PresetName;
};

/** The answers of a route as written, for the preset of its signature. */
export function toRespond(
	written: WrittenRespond | undefined,
	name: PresetName | undefined,
): RespondConfig | undefined {
	if (!written) {
		return undefined;
	}

	const preset = name && presets[name];
	const longest = preset?.answerSeconds === undefined ? longestWaitSeconds : preset.answerSeconds - spareSeconds;
	return {
		waitSeconds: Math.max(0, Math.min(written.wait ?? longestWaitSeconds, longest)),
		body: written.body,
		contentType: written.content_type ?? 'text/plain',
		...(preset?.answers && {preset: name}),
	};
}

/** The way in which the provider of a route takes results; undefined for any other sender. */
export function answersOf({preset}: Pick<RespondConfig, 'preset'>): PresetAnswers | undefined {
	return preset && presets[preset].answers;
}
